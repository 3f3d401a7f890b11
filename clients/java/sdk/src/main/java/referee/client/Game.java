package referee.client;

import referee.v1.Hand.DiscardPoint;
import referee.v1.Hand.DiscardVisibility;

/**
 * A game as data (GAME-3).
 *
 * @param holeCards cards dealt to each player
 * @param discards cards that each live player discards
 * @param discardPoint when they are discarded
 * @param discardVisibility what becomes of them
 */
public record Game(int holeCards, int discards, DiscardPoint discardPoint, DiscardVisibility discardVisibility) {
    static final Game HOLDEM =
            new Game(2, 0, DiscardPoint.DISCARD_POINT_UNSPECIFIED, DiscardVisibility.DISCARD_VISIBILITY_HIDDEN);
    static final Game IRISH =
            new Game(4, 2, DiscardPoint.DISCARD_POINT_AFTER_FLOP_BETTING, DiscardVisibility.DISCARD_VISIBILITY_HIDDEN);
    static final Game IRISH_BEFORE_FLOP_BETTING =
            new Game(4, 2, DiscardPoint.DISCARD_POINT_BEFORE_FLOP_BETTING, DiscardVisibility.DISCARD_VISIBILITY_HIDDEN);

    /** Whether discards are dealt onto the board, where they count for everybody. */
    public boolean discardsJoinBoard() {
        return discardVisibility == DiscardVisibility.DISCARD_VISIBILITY_JOINS_BOARD;
    }

    /** Hole cards that a player still has at the showdown. */
    public int keptCards() {
        return holeCards - discards;
    }
}
