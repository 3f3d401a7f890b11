package referee.client.log;

/** Says why a proof proves nothing. */
public final class ProofException extends Exception {
    private static final long serialVersionUID = 1;

    ProofException(String message) {
        super(message);
    }
}
