package referee.client;

import java.util.List;

/**
 * Everything that a seat may do at its open decision; amounts in chips.
 *
 * @param seat the seat
 * @param decisionId the decision's id (BET-9)
 * @param fold whether folding is legal
 * @param check whether checking is legal
 * @param call what calling adds; 0 when there is nothing to call
 * @param wager whether a wager is called a bet or a raise (BET-2)
 * @param minTo the lowest street total of a wager; 0 when none is legal
 * @param maxTo the highest one; equal to the lowest when one size is legal, 0 when none is
 * @param step street totals between them are legal in steps of this, from the lowest
 * @param discard how many cards are owed; above 0 nothing else is legal
 * @param held the hole cards to choose from
 */
public record LegalOptions(
        int seat,
        int decisionId,
        boolean fold,
        boolean check,
        long call,
        ActionKind wager,
        long minTo,
        long maxTo,
        long step,
        int discard,
        List<Integer> held) {
    /** Whether a bet or raise is legal. */
    public boolean mayWager() {
        return maxTo > 0;
    }
}
