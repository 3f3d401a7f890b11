package referee.client;

import com.google.protobuf.ByteString;
import referee.v1.Table.Propose;
import referee.v1.Table.StreamEndReason;

/** What is to be done about something that a server said. */
sealed interface Outcome {
    /** The bot is to be asked. */
    record Ask(Decision decision) implements Outcome {}

    /** A proposal is to be sent; nobody is asked. */
    record Send(Propose propose) implements Outcome {}

    /** The seat's seed is to be revealed: everybody's commitments are known. */
    record Reveal(ByteString seed) implements Outcome {}

    /** Nothing more comes now; the table is to be attached again later from its cursor. */
    record Interrupted(StreamEndReason reason) implements Outcome {}

    /** Nothing more comes. */
    record Ended(StreamEndReason reason) implements Outcome {}
}
