package referee.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import referee.client.deals.MatchSeeds;
import referee.v1.Table.CommitSeedRequest;
import referee.v1.Table.SitInRequest;
import referee.v1.Table.SitOutRequest;
import referee.v1.Table.TableState;
import referee.v1.Table.TakeSeatRequest;
import referee.v1.Table.TopUpRequest;

/** Calls about seats, each of which goes wrong the first time and is made again under its own request id. */
@Timeout(60)
class RefereeClientTest {
    private static final Backoff SHORT = new Backoff(Duration.ofMillis(2), Duration.ofMillis(20), 12);
    private static final ByteString REFEREE = ByteString.copyFrom(new byte[MatchSeeds.SEED_BYTES]);
    private static final TableState TABLE = TableState.newBuilder()
            .setTableId("table")
            .setMatchName("a-match")
            .setDealCommitment(REFEREE)
            .build();

    private static RefereeClient client(ScriptedTables server) {
        return RefereeClient.of(server.target()).withBackoff(SHORT);
    }

    /** The last request, which was the same as the one before. */
    private static Message repeated(ScriptedTables server) {
        Message last = server.asked.get(server.asked.size() - 1);
        assertEquals(server.asked.get(server.asked.size() - 2), last);
        return last;
    }

    @Test
    void aSeatIsTakenAndCommitsToItsSeed() throws Exception {
        try (ScriptedTables server = new ScriptedTables(TABLE)) {
            Seat seat = client(server).takeSeat("table", "mine");
            assertEquals(4, seat.number());
            assertEquals("token", seat.token());
            assertEquals(0, seat.hand());
            assertEquals(MatchSeeds.SEED_BYTES, seat.seed().size());
            CommitSeedRequest commits = (CommitSeedRequest) repeated(server);
            assertEquals(MatchSeeds.commitSeat("a-match", 4, seat.seed(), REFEREE), commits.getCommitment());
            assertFalse(seat.toString().contains("token"), "secrets are not written");
            TakeSeatRequest takes = (TakeSeatRequest) server.asked.get(2);
            assertTrue(takes.getCommitsSeed());
            assertTrue(takes.getRequestId().length() >= 16);
            assertEquals(takes, server.asked.get(3));
        }
    }

    @Test
    void aSeatTakenLaterCommitsToNoSeedAndMayPost() throws Exception {
        TableState playing = TABLE.toBuilder().setHand(7).build();
        try (ScriptedTables server = new ScriptedTables(playing)) {
            Seat seat = client(server).takeSeat("table", "mine", 4, REFEREE, true);
            assertEquals(7, seat.hand());
            assertTrue(seat.seed().isEmpty());
            TakeSeatRequest takes = (TakeSeatRequest) repeated(server);
            assertFalse(takes.getCommitsSeed());
            assertTrue(takes.getPosts());
            assertEquals(4, takes.getSeat());
        }
    }

    @Test
    void aSeatSitsOutAndInAndTopsUp() throws Exception {
        Seat seat = Seat.of("table", "token");
        try (ScriptedTables server = new ScriptedTables(TABLE)) {
            client(server).sitOut(seat);
            assertEquals("token", ((SitOutRequest) repeated(server)).getSeatToken());
            client(server).sitIn(seat, true);
            assertTrue(((SitInRequest) repeated(server)).getPosts());
            client(server).topUp(seat, 500);
            assertEquals(500, ((TopUpRequest) repeated(server)).getTo());
        }
    }
}
