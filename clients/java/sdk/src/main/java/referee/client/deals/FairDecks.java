package referee.client.deals;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The decks of a match: they depend on its seeds, block and hand alone. */
public final class FairDecks {
    /** How many cards a deck has. */
    public static final int CARDS = 52;

    private static final int MAX_ITEMS = 1024;

    private final String match;
    private final ByteString matchSeed;
    private final int items;

    /** The decks of cards of a match. */
    public FairDecks(String match, ByteString matchSeed) throws DealException {
        this(match, matchSeed, CARDS);
    }

    /** The decks of so many items, 52 cards or 28 tiles. */
    public FairDecks(String match, ByteString matchSeed, int items) throws DealException {
        if (items < 1 || items > MAX_ITEMS) {
            throw new DealException("a deck of " + items + "; expected 1 to " + MAX_ITEMS);
        }
        if (matchSeed.size() != MatchSeeds.SEED_BYTES) {
            throw new DealException("a match seed of " + matchSeed.size() + " bytes");
        }
        this.match = match;
        this.matchSeed = matchSeed;
        this.items = items;
    }

    /** The deck of a hand with its salts and root; numbers are from 0 to 2^63 - 1. */
    public CommittedDeck committed(long block, long hand, long redeal) throws DealException {
        if (block < 0 || hand < 0 || redeal < 0) {
            throw new DealException("block, hand and redeal are numbers from 0 to 2^63 - 1");
        }
        Deal deal = new Deal(match, items, block, hand, redeal);
        return new CommittedDeck(deal, shuffled(deal), salts(deal));
    }

    /** The seat that has the first button (SEAT-6); {@code seats} ascending. */
    public int firstButton(List<Integer> seats) throws DealException {
        MatchSeeds.checkSeats(seats);
        return seats.get(stream("button").below(seats.size()));
    }

    private List<Integer> shuffled(Deal deal) {
        List<Integer> deck = new ArrayList<>(items);
        for (int item = 0; item < items; item++) {
            deck.add(item);
        }
        KeyedStream numbers = stream("deck/" + deal.path());
        for (int top = items - 1; top > 0; top--) {
            Collections.swap(deck, numbers.below(top + 1), top);
        }
        return List.copyOf(deck);
    }

    private List<ByteString> salts(Deal deal) {
        byte[] bytes = stream("salt/" + deal.path()).first(items * Opening.SALT_BYTES);
        List<ByteString> salts = new ArrayList<>(items);
        for (int position = 0; position < items; position++) {
            salts.add(ByteString.copyFrom(bytes, position * Opening.SALT_BYTES, Opening.SALT_BYTES));
        }
        return List.copyOf(salts);
    }

    private KeyedStream stream(String label) {
        return new KeyedStream(matchSeed, MatchSeeds.DERIVATION + "/" + label);
    }
}
