package referee.client;

/** Says that the server stayed out of reach for as often as was to be tried. */
public final class ConnectionLostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ConnectionLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
