import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import referee.client.BotProgram;
import referee.client.Cards;
import referee.client.Decision;
import referee.client.Proposal;

/** Your bot: change decide() and play. */
public final class MyBot {
    private MyBot() {}

    static Proposal decide(Decision decision) {
        if (decision.mustDiscard() > 0) {
            return discardLowest(decision);
        }
        long matches = decision.hole().stream().filter(card -> isOnBoard(decision, card)).count();
        if (matches >= 2) {
            return decision.betPot(75);
        }
        boolean isCheap = decision.toCall() <= decision.bigBlind();
        return matches == 1 || isCheap ? decision.checkOrCall() : decision.checkOrFold();
    }

    /** Keeps what pairs the board, then what is highest. */
    private static Proposal discardLowest(Decision decision) {
        List<Integer> held = new ArrayList<>(decision.hole());
        held.sort(Comparator.<Integer, Boolean>comparing(card -> isOnBoard(decision, card))
                .thenComparing(Cards::rank));
        return decision.discard(held.subList(0, decision.mustDiscard()));
    }

    private static boolean isOnBoard(Decision decision, int card) {
        return decision.board().stream().anyMatch(other -> Cards.rank(other) == Cards.rank(card));
    }

    public static void main(String[] args) {
        System.exit(BotProgram.run(args, MyBot::decide));
    }
}
