package referee.client.log;

/** Says why a note, key or checkpoint is not believed. */
public final class LogException extends Exception {
    private static final long serialVersionUID = 1;

    /** What is the matter. */
    public enum Kind {
        /** A note or checkpoint that cannot be read. */
        NOTE_FORMAT,
        /** A key, or a key's name, that cannot be used. */
        KEY_FORMAT,
        /** A signature by a known key that does not verify. */
        SIGNATURE,
        /** No signature by a known key of the log. */
        UNTRUSTED,
        /** Signed by known keys of the log, but outside the time or the sizes for which they are valid. */
        KEY_VALIDITY,
        /** Fewer witnesses have cosigned than are asked for. */
        QUORUM,
        /** Two heads of one log that cannot both be true. */
        SPLIT_VIEW
    }

    private final Kind kind;

    LogException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    static LogException atLine(int line, String message) {
        return new LogException(Kind.NOTE_FORMAT, "line " + line + ": " + message);
    }

    /** What is the matter. */
    public Kind kind() {
        return kind;
    }
}
