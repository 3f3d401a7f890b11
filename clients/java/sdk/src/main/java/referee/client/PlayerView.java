package referee.client;

import java.util.List;

/**
 * A player of the hand as everybody sees him; amounts in chips.
 *
 * @param seat the seat
 * @param name what he is called
 * @param stack chips, what is in the middle not included
 * @param bet what he has in on this street
 * @param putIn what he has in altogether, dead money not counted
 * @param live whether he has not folded
 * @param allIn whether he is live without chips
 * @param discarded whether his discard is known to be made
 * @param shown the cards that he has shown
 */
public record PlayerView(
        int seat,
        String name,
        long stack,
        long bet,
        long putIn,
        boolean live,
        boolean allIn,
        boolean discarded,
        List<Integer> shown) {}
