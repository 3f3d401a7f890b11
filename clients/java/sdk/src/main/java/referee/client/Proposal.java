package referee.client;

import java.util.List;

/**
 * One proposed action. {@link Decision} makes them; a bot seldom needs more.
 *
 * @param seat whose it is; 0 is filled in
 * @param kind what is proposed
 * @param to the street total in chips of a bet or raise, else 0
 * @param cards those of a discard, else none
 * @param handId the hand it is meant for; empty is filled in
 * @param decisionId the decision it answers (BET-9); 0 is filled in
 */
public record Proposal(int seat, ActionKind kind, long to, List<Integer> cards, String handId, int decisionId) {
    public Proposal {
        cards = List.copyOf(cards);
    }
}
