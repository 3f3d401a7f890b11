package referee.client;

/** What happens in a hand; numbers are those of the contract and never change meaning. */
public enum EventKind {
    ANTE_POSTED(1),
    DEAD_POSTED(2),
    BLIND_POSTED(3),
    HOLE_DEALT(4),
    FOLDED(5),
    CHECKED(6),
    CALLED(7),
    BET(8),
    RAISED(9),
    BET_RETURNED(10),
    ROUND_CLOSED(11),
    BOARD_DEALT(12),
    DISCARDS_OPENED(13),
    DISCARDED(14),
    DISCARD_SHOWN(15),
    DISCARDS_CLOSED(16),
    HAND_SHOWN(17),
    HAND_MUCKED(18),
    RAKE_TAKEN(19),
    POT_AWARDED(20),
    HAND_ENDED(21),
    LATE_FOLD_SHOWN(22);

    private static final EventKind[] KINDS = values();

    private final int number;

    EventKind(int number) {
        this.number = number;
    }

    /** The number in the contract. */
    public int number() {
        return number;
    }

    /** The kind of a number, or null for one that this version does not know. */
    static EventKind ofNumber(int number) {
        return 1 <= number && number <= KINDS.length ? KINDS[number - 1] : null;
    }
}
