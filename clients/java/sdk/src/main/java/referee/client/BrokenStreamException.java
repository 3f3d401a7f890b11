package referee.client;

/** Says that the server does not keep to the contract, so that a table cannot be followed. */
public final class BrokenStreamException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokenStreamException(String message) {
        super(message);
    }

    BrokenStreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
