package referee.client.deals;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import referee.client.log.Merkle;

/** A deck with the salts of its positions and the root that commits to it. */
public final class CommittedDeck {
    private final Deal deal;
    private final List<Integer> deck;
    private final List<ByteString> salts;
    private final List<ByteString> leaves;

    CommittedDeck(Deal deal, List<Integer> deck, List<ByteString> salts) {
        this.deal = deal;
        this.deck = deck;
        this.salts = salts;
        leaves = new ArrayList<>(deck.size());
        for (int position = 0; position < deck.size(); position++) {
            leaves.add(Opening.leaf(deal, position, deck.get(position), salts.get(position)));
        }
    }

    /** All items in the order in which they come (DEAL-3). */
    public List<Integer> deck() {
        return deck;
    }

    /** The salt of each position. */
    public List<ByteString> salts() {
        return salts;
    }

    /** The root that is published before the hand. */
    public ByteString root() {
        return Merkle.rootOf(leaves);
    }

    /** Opens one position. */
    public Opening open(int position) {
        return new Opening(
                position, deck.get(position), salts.get(position), Merkle.inclusionProof(leaves, position));
    }

    /** Which deck it is. */
    public Deal deal() {
        return deal;
    }
}
