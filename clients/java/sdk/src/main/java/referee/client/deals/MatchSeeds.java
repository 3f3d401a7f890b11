package referee.client.deals;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Everything that a match's decks depend on.
 *
 * @param match the match's name
 * @param refereeSeed the referee's seed
 * @param seats the seats of the match, ascending
 */
public record MatchSeeds(String match, ByteString refereeSeed, List<SeatSeed> seats) {
    /** The name and version of everything that is derived here. */
    public static final String DERIVATION = "referee-deal/1";

    /** How many bytes a seed has. */
    public static final int SEED_BYTES = 32;

    private static final int MAX_SEATS = 1024;
    private static final int REFEREE = 0;
    private static final Pattern MATCH_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public MatchSeeds {
        seats = List.copyOf(seats);
    }

    /** The referee's commitment to its seed for a match. */
    public static ByteString commitReferee(String match, ByteString seed) throws DealException {
        return commit(match, REFEREE, ByteString.EMPTY, seed);
    }

    /** A seat's commitment to its seed. It contains the referee's, so it cannot have been made before that one. */
    public static ByteString commitSeat(String match, int seat, ByteString seed, ByteString refereeCommitment)
            throws DealException {
        checkSeats(List.of(seat));
        checkBytes(refereeCommitment, "the referee's commitment");
        return commit(match, seat, refereeCommitment, seed);
    }

    /**
     * Checks each revealed seed against its commitment, the referee's first. It does not check when anything was sent,
     * except that a seat's commitment is made from the referee's and so came after it.
     *
     * @throws DealException for the first that differs, and for what no seed can be
     */
    public void check(ByteString refereeCommitment) throws DealException {
        checkShape();
        if (!commitReferee(match, refereeSeed).equals(refereeCommitment)) {
            throw new DealException("the referee's seed is not the committed one");
        }
        for (SeatSeed seat : seats) {
            if (!seat.seed().isEmpty()
                    && !commitSeat(match, seat.seat(), seat.seed(), refereeCommitment).equals(seat.commitment())) {
                throw new DealException("seat " + seat.seat() + "'s seed is not the committed one");
            }
        }
    }

    /** The match's 32 secret bytes: HKDF-SHA256 over the referee's seed and then the seats' in ascending order. */
    public ByteString matchSeed() throws DealException {
        checkShape();
        ByteString material = refereeSeed;
        for (SeatSeed seat : seats) {
            material = material.concat(seat.counted());
        }
        String numbers = seats.stream().map(seat -> Integer.toString(seat.seat())).collect(Collectors.joining(","));
        return ByteString.copyFrom(
                Hashing.hkdf(material, DERIVATION + "/match/" + match, DERIVATION + "/seats/" + numbers));
    }

    private void checkShape() throws DealException {
        checkMatch(match);
        checkBytes(refereeSeed, "the referee's seed");
        checkSeats(seats.stream().map(SeatSeed::seat).toList());
        for (SeatSeed seat : seats) {
            if (!seat.seed().isEmpty()) {
                checkBytes(seat.seed(), "seat " + seat.seat() + "'s seed");
            }
            if (!seat.commitment().isEmpty()) {
                checkBytes(seat.commitment(), "seat " + seat.seat() + "'s commitment");
            }
        }
    }

    static void checkSeats(List<Integer> seats) throws DealException {
        if (seats.isEmpty() || seats.size() > MAX_SEATS) {
            throw new DealException(seats.size() + " seats; expected 1 to " + MAX_SEATS);
        }
        int before = 0;
        for (int seat : seats) {
            if (seat <= before) {
                throw new DealException("seats " + seats + ": expected numbers from 1, ascending, each once");
            }
            before = seat;
        }
    }

    private static ByteString commit(String match, int seat, ByteString refereeCommitment, ByteString seed)
            throws DealException {
        checkMatch(match);
        checkBytes(seed, "a seed");
        String label = DERIVATION + "/commit/" + match + "/" + seat + "/";
        return Hashing.sha256(ByteString.copyFrom(Hashing.ascii(label)), refereeCommitment, seed);
    }

    private static void checkMatch(String match) throws DealException {
        if (!MATCH_NAME.matcher(match).matches()) {
            throw new DealException("'" + match + "' is not a match's name; expected 1 to 64 of A-Z a-z 0-9 . _ -");
        }
    }

    private static void checkBytes(ByteString some, String what) throws DealException {
        if (some.size() != SEED_BYTES) {
            throw new DealException(what + " has " + some.size() + " bytes; expected " + SEED_BYTES);
        }
    }
}
