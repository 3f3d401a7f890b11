package referee.example;

import java.util.List;
import referee.client.Bot;
import referee.client.Decision;
import referee.client.Proposal;

/**
 * Does at each decision what the match's name wishes, {@code conformance.WISH} with a number after it or not; at any
 * other table it plays as {@link PlainBot}. With it {@code referee conformance} checks this SDK.
 */
public final class ConformanceBot implements Bot {
    private static final String BEGIN = "conformance.";

    private final Bot plain = new PlainBot();

    @Override
    public Proposal decide(Decision decision) throws Exception {
        if (!decision.matchName().startsWith(BEGIN)) {
            return plain.decide(decision);
        }
        String wish = decision.matchName().substring(BEGIN.length()).replaceFirst("\\..*$", "");
        boolean refused = decision.refusal().isPresent();
        return switch (wish) {
            case "check-or-call" -> discardingFirst(decision, decision.checkOrCall());
            case "check-or-fold" -> discardingFirst(decision, decision.checkOrFold());
            case "min-raise" -> discardingFirst(decision, decision.betOrRaise(0));
            case "max-raise" -> discardingFirst(decision, decision.betOrRaise(Long.MAX_VALUE));
            case "all-in" -> discardingFirst(decision, decision.allInOrCall());
            case "bet-pot" -> discardingFirst(decision, decision.betPot(100));
            case "wrong-discard" -> wrongDiscard(decision, refused);
            case "refused-first" -> discardingFirst(
                    decision,
                    refused ? decision.checkOrCall() : decision.raiseTo(decision.stack() + decision.level() + 1));
            default -> plain.decide(decision);
        };
    }

    /** An action, or where a discard is owed the first cards held. */
    private static Proposal discardingFirst(Decision decision, Proposal action) {
        return decision.mustDiscard() > 0 ? first(decision, decision.mustDiscard()) : action;
    }

    /** One card too few, or too many where one is owed; the right number once that was refused. */
    private static Proposal wrongDiscard(Decision decision, boolean refused) {
        int owed = decision.mustDiscard();
        if (owed == 0) {
            return decision.checkOrCall();
        }
        int wrong = owed > 1 ? owed - 1 : owed + 1;
        return first(decision, refused ? owed : wrong);
    }

    private static Proposal first(Decision decision, int cards) {
        List<Integer> held = decision.legal().held();
        return decision.discard(held.subList(0, cards));
    }
}
