package referee.client.deals;

/**
 * Which deck of a match.
 *
 * @param match the match's name
 * @param items 52 cards, or 28 tiles
 * @param block the block; 0 at a table
 * @param hand the hand
 * @param redeal 0 unless a hand had to be dealt anew (KOZ-2)
 */
public record Deal(String match, int items, long block, long hand, long redeal) {
    /** The deal's part of a label. The match is not in it: the key under which labels are used stands for it. */
    String path() {
        return items + "/" + block + "/" + hand + "/" + redeal;
    }
}
