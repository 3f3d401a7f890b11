package referee.client.deals;

import com.google.protobuf.ByteString;

/**
 * A seat's commitment and seed; what it did not give is empty.
 *
 * @param seat the seat
 * @param commitment its commitment
 * @param seed its seed
 */
public record SeatSeed(int seat, ByteString commitment, ByteString seed) {
    private static final ByteString ZEROS = ByteString.copyFrom(new byte[MatchSeeds.SEED_BYTES]);

    /** The 32 bytes that enter the match seed: the seed, else the commitment, else zeros. */
    public ByteString counted() {
        if (!seed.isEmpty()) {
            return seed;
        }
        return commitment.isEmpty() ? ZEROS : commitment;
    }
}
