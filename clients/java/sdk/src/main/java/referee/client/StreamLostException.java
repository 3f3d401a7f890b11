package referee.client;

/** Says that a stream is to be left and resumed: something was missed, or nothing was heard for too long. */
final class StreamLostException extends Exception {
    private static final long serialVersionUID = 1;

    StreamLostException(String message) {
        super(message, null, false, false);
    }
}
