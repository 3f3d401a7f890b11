package referee.client;

/** The betting structure of a hand (GAME-2); numbers are those of the contract. */
public enum Limit {
    NO_LIMIT(1),
    POT_LIMIT(2),
    FIXED_LIMIT(3);

    private final int number;

    Limit(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** The structure of a number; throws RuleSetException for one that this version does not know. */
    static Limit ofNumber(int number) {
        for (Limit limit : values()) {
            if (limit.number == number) {
                return limit;
            }
        }
        throw new RuleSetException("GAME-2", "this version does not know betting structure " + number);
    }
}
