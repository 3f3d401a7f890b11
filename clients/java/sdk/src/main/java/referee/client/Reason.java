package referee.client;

/**
 * Why a proposal is refused, in order of precedence: of several faults the first listed is given. Numbers are those of
 * the contract; docs/errors.md explains each.
 */
public enum Reason {
    WRONG_HAND(1),
    HAND_OVER(2),
    SEAT_NOT_IN_HAND(3),
    SEAT_FOLDED(4),
    ALREADY_DISCARDED(5),
    SEAT_ALL_IN(6),
    OUT_OF_TURN(7),
    STALE_DECISION(8),
    UNKNOWN_ACTION(9),
    MALFORMED_ACTION(10),
    DISCARD_OWED(11),
    NO_DISCARD_ROUND(12),
    CARD_COUNT_WRONG(13),
    CARD_REPEATED(14),
    CARD_NOT_HELD(15),
    NOTHING_TO_FOLD_TO(16),
    LAST_ELIGIBLE_CANNOT_FOLD(17),
    CHECK_WHILE_OWING(18),
    NOTHING_TO_CALL(19),
    BET_OVER_A_BET(20),
    RAISE_WITHOUT_A_BET(21),
    OPPONENTS_ALL_IN(22),
    NO_CHIPS_TO_RAISE(23),
    RAISES_CAPPED(24),
    RAISE_NOT_REOPENED(25),
    NOT_A_CHIP_MULTIPLE(26),
    ABOVE_STACK(27),
    NOT_THE_FIXED_SIZE(28),
    ABOVE_POT_LIMIT(29),
    BELOW_MINIMUM(30),
    NOTHING_TO_SHOW(31),
    SHOW_TOO_EARLY(32),
    SHOWDOWN_UNDECIDED(33);

    private static final Reason[] REASONS = values();

    private final int number;

    Reason(int number) {
        this.number = number;
    }

    /** The number in the contract. */
    public int number() {
        return number;
    }

    /** The reason of a number, or null for one that this version does not know. */
    static Reason ofNumber(int number) {
        return 1 <= number && number <= REASONS.length ? REASONS[number - 1] : null;
    }
}
