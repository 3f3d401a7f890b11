package referee.client.log;

import java.util.Set;

/**
 * A checkpoint that a valid key of its log has signed.
 *
 * @param checkpoint the head
 * @param witnesses names of the witnesses whose valid keys have cosigned
 * @param unknown names of those whose keys the verifier does not know: their signatures say nothing
 */
public record VerifiedCheckpoint(Checkpoint checkpoint, Set<String> witnesses, Set<String> unknown) {
    public VerifiedCheckpoint {
        witnesses = Set.copyOf(witnesses);
        unknown = Set.copyOf(unknown);
    }
}
