package referee.example;

import java.util.ArrayList;
import java.util.List;
import referee.client.Bot;
import referee.client.Cards;
import referee.client.Decision;
import referee.client.Proposal;

/**
 * A simple Irish strategy without chance: it answers the same to the same decision, as the example bots of the other
 * languages do.
 */
public final class PlainBot implements Bot {
    private static final int TEN = 8;
    private static final int ACE = 12;
    private static final int SUITS = 4;
    private static final int BOARD_CARDS = 5;

    @Override
    public Proposal decide(Decision decision) {
        if (decision.mustDiscard() > 0) {
            return discard(decision);
        }
        return decision.board().isEmpty() ? beforeTheFlop(decision) : later(decision);
    }

    // --- the discard ------------------------------------------------------------------------------------

    private static Proposal discard(Decision decision) {
        List<Integer> held = decision.legal().held();
        List<Integer> best = List.of();
        int bestScore = Integer.MIN_VALUE;
        for (List<Integer> kept : combinations(held, held.size() - decision.mustDiscard())) {
            int score = score(kept, decision.board());
            if (score > bestScore) {
                best = kept;
                bestScore = score;
            }
        }
        List<Integer> rest = new ArrayList<>(held);
        rest.removeAll(best);
        return decision.discard(rest);
    }

    /** Every choice of so many cards, in lexicographic order of their positions. */
    private static List<List<Integer>> combinations(List<Integer> cards, int count) {
        if (count == 0) {
            return List.of(List.of());
        }
        List<List<Integer>> all = new ArrayList<>();
        for (int first = 0; first <= cards.size() - count; first++) {
            for (List<Integer> others : combinations(cards.subList(first + 1, cards.size()), count - 1)) {
                List<Integer> chosen = new ArrayList<>();
                chosen.add(cards.get(first));
                chosen.addAll(others);
                all.add(chosen);
            }
        }
        return all;
    }

    /** High cards, pairs, cards that pair the board, and a suit of which the board has two. */
    private static int score(List<Integer> kept, List<Integer> board) {
        int score = 0;
        for (int at = 0; at < kept.size(); at++) {
            int rank = Cards.rank(kept.get(at));
            score += rank;
            if (hasRank(board, rank)) {
                score += 40 + rank;
            }
            score += (60 + rank) * count(kept.subList(at + 1, kept.size()), rank);
        }
        int suit = Cards.suit(kept.get(0));
        return ofSuit(kept, suit) == kept.size() && ofSuit(board, suit) >= 2 ? score + 50 : score;
    }

    // --- betting ----------------------------------------------------------------------------------------

    private static Proposal beforeTheFlop(Decision decision) {
        long bigBlind = decision.bigBlind();
        if (!isGood(decision.hole())) {
            return decision.toCall() <= 2 * bigBlind ? decision.checkOrCall() : decision.checkOrFold();
        }
        return decision.level() <= bigBlind ? decision.betOrRaise(3 * bigBlind) : decision.checkOrCall();
    }

    /** Two cards of one rank from the tens up, or an ace with another card of its suit. */
    private static boolean isGood(List<Integer> hole) {
        for (int card : hole) {
            int rank = Cards.rank(card);
            if ((rank >= TEN && count(hole, rank) >= 2) || (rank == ACE && ofSuit(hole, Cards.suit(card)) >= 2)) {
                return true;
            }
        }
        return false;
    }

    private static Proposal later(Decision decision) {
        int matches = matches(decision.hole(), decision.board());
        long toCall = decision.toCall();
        if (matches >= 2) {
            return decision.level() == 0 ? decision.betPot(75) : decision.checkOrCall();
        }
        boolean cheap = matches == 1 ? 2 * toCall <= decision.pot() : 4 * toCall <= decision.pot();
        boolean stays = matches == 1 || hasFlushDraw(decision.hole(), decision.board());
        return stays && cheap ? decision.checkOrCall() : decision.checkOrFold();
    }

    /** How many hole cards pair the board, and one more for a pair among them. */
    private static int matches(List<Integer> hole, List<Integer> board) {
        int matches = 0;
        boolean isPair = false;
        for (int card : hole) {
            matches += hasRank(board, Cards.rank(card)) ? 1 : 0;
            isPair |= count(hole, Cards.rank(card)) >= 2;
        }
        return isPair ? matches + 1 : matches;
    }

    private static boolean hasFlushDraw(List<Integer> hole, List<Integer> board) {
        if (board.size() >= BOARD_CARDS) {
            return false;
        }
        for (int suit = 0; suit < SUITS; suit++) {
            int held = ofSuit(hole, suit);
            if (held >= 1 && held + ofSuit(board, suit) >= 4) {
                return true;
            }
        }
        return false;
    }

    // --- counting ---------------------------------------------------------------------------------------

    private static boolean hasRank(List<Integer> cards, int rank) {
        return count(cards, rank) > 0;
    }

    private static int count(List<Integer> cards, int rank) {
        return (int) cards.stream().filter(card -> Cards.rank(card) == rank).count();
    }

    private static int ofSuit(List<Integer> cards, int suit) {
        return (int) cards.stream().filter(card -> Cards.suit(card) == suit).count();
    }
}
