package referee.client.deals;

import com.google.protobuf.ByteString;
import java.util.List;
import referee.client.log.Merkle;
import referee.client.log.ProofException;

/**
 * One opened position of a deck.
 *
 * @param position the position; 0 is dealt first
 * @param item what lies there
 * @param salt the salt of the position
 * @param path the hashes that lead to the root, the lowest first
 */
public record Opening(int position, int item, ByteString salt, List<ByteString> path) {
    static final int SALT_BYTES = 16;

    public Opening {
        path = List.copyOf(path);
    }

    /**
     * Checks the opened position against the root that was published for the deal. It shows what was committed, not
     * that the deck follows from the seeds.
     */
    public void verify(Deal deal, ByteString root) throws DealException {
        if (item < 0 || item >= deal.items()) {
            throw new DealException("position " + position + ": item " + item + " of a deck of " + deal.items());
        }
        if (salt.size() != SALT_BYTES) {
            throw new DealException(
                    "position " + position + ": a salt of " + salt.size() + " bytes; expected " + SALT_BYTES);
        }
        try {
            Merkle.verifyInclusion(leaf(deal, position, item, salt), position, deal.items(), path, root);
        } catch (ProofException error) {
            throw new DealException("position " + position + ": " + error.getMessage());
        }
    }

    /** The hash of one position's leaf. It names the deal, so that an opening fits no other hand. */
    static ByteString leaf(Deal deal, int position, int item, ByteString salt) {
        String text = MatchSeeds.DERIVATION + "/card/" + deal.match() + "/" + deal.path() + "/" + position + "/" + item
                + "/";
        return Merkle.leafHash(ByteString.copyFrom(Hashing.ascii(text)).concat(salt));
    }
}
