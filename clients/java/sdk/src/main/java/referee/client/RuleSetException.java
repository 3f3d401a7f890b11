package referee.client;

/** Says that the rules do not allow a table, or that this version does not know what it plays. */
public final class RuleSetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String rule;

    RuleSetException(String rule, String message) {
        super(rule + ": " + message);
        this.rule = rule;
    }

    /** The rule that decides. */
    public String rule() {
        return rule;
    }
}
