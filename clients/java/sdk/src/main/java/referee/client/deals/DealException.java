package referee.client.deals;

/** Says what is wrong with seeds, decks or openings. */
public final class DealException extends Exception {
    private static final long serialVersionUID = 1;

    public DealException(String message) {
        super(message);
    }
}
