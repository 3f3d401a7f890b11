package referee.client;

import java.util.List;

/**
 * One thing that happened in a hand, as the seat sees it; cards that it may not see are -1.
 *
 * @param kind what
 * @param rule the rule that decided it
 * @param seat whose; 0 is the table
 * @param amount chips that moved
 * @param to the seat's street total after a post, call or wager
 * @param cards cards dealt, discarded or shown
 * @param pot which pot, from the main pot 0
 * @param allIn whether it took the seat's last chip
 * @param automatic whether the referee did it in the seat's place (TIME-2, DISC-8)
 */
public record Event(
        EventKind kind,
        String rule,
        int seat,
        long amount,
        long to,
        List<Integer> cards,
        int pot,
        boolean allIn,
        boolean automatic) {}
