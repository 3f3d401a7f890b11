package referee.client;

import java.util.ArrayList;
import java.util.List;

/** Cards as small integers (GAME-5): {@code 4 * rank + suit}, rank 0 is the deuce and 12 the ace. */
public final class Cards {
    /** The letters of the ranks, the deuce first. */
    public static final String RANKS = "23456789TJQKA";

    /** The letters of the suits, in the order of their numbers. */
    public static final String SUITS = "cdhs";

    /** A card that was dealt but may not be seen; written {@code ??}. */
    public static final int UNKNOWN = -1;

    private static final String UNKNOWN_TEXT = "??";

    private Cards() {}

    /** The rank of a card, from 0 for a deuce to 12 for an ace. */
    public static int rank(int card) {
        return card >> 2;
    }

    /** The suit of a card, 0 to 3 for clubs, diamonds, hearts and spades. */
    public static int suit(int card) {
        return card & 3;
    }

    /**
     * Reads one card such as {@code Ah} or {@code Td}; {@code ??} is an unknown one.
     *
     * @throws IllegalArgumentException for anything else: each card has one spelling (GAME-5)
     */
    public static int parse(String text) {
        if (text.equals(UNKNOWN_TEXT)) {
            return UNKNOWN;
        }
        int rank = text.length() == 2 ? RANKS.indexOf(text.charAt(0)) : -1;
        int suit = text.length() == 2 ? SUITS.indexOf(text.charAt(1)) : -1;
        if (rank < 0 || suit < 0) {
            throw new IllegalArgumentException("'" + text + "' is not a card; expected a rank of " + RANKS
                    + " and a suit of " + SUITS + ", such as Ah or Td");
        }
        return 4 * rank + suit;
    }

    /** Reads cards written one after another, with or without spaces: {@code AhKd} or {@code Ah Kd}. */
    public static List<Integer> parseAll(String text) {
        String packed = text.replace(" ", "");
        if (packed.length() % 2 != 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a row of cards; expected two characters for each card");
        }
        List<Integer> cards = new ArrayList<>(packed.length() / 2);
        for (int at = 0; at < packed.length(); at += 2) {
            cards.add(parse(packed.substring(at, at + 2)));
        }
        return List.copyOf(cards);
    }

    /** Writes one card as {@link #parse} reads it. */
    public static String text(int card) {
        return card == UNKNOWN ? UNKNOWN_TEXT : "" + RANKS.charAt(rank(card)) + SUITS.charAt(suit(card));
    }

    /** Writes cards in the order given, parted by spaces. */
    public static String text(List<Integer> cards) {
        return String.join(" ", texts(cards));
    }

    static List<String> texts(List<Integer> cards) {
        return cards.stream().map(Cards::text).toList();
    }

    static List<Integer> ofTexts(List<String> texts) {
        return texts.stream().map(Cards::parse).toList();
    }
}
