package referee.client;

import com.google.protobuf.ByteString;

/**
 * A seat that was taken.
 *
 * @param tableId the table
 * @param token proves the seat and is a secret
 * @param number the seat's number; 0 when it is not known
 * @param hand the hand under way when it was taken, 0 before the first: play begins there, so that nothing is missed in
 *     between; -1 begins with the hand under way
 * @param seed the seat's own share of the deals, a secret until it is revealed; empty for a seat that committed to none
 */
public record Seat(String tableId, String token, int number, long hand, ByteString seed) {
    /** A seat of which only table and token are known. */
    public static Seat of(String tableId, String token) {
        return new Seat(tableId, token, 0, -1, ByteString.EMPTY);
    }

    Seat withoutSeed() {
        return new Seat(tableId, token, number, hand, ByteString.EMPTY);
    }

    /** Names the seat without its secrets. */
    @Override
    public String toString() {
        return "Seat[table=" + tableId + ", number=" + number + "]";
    }
}
