package referee.client;

import java.util.List;

/**
 * What is fixed before a hand begins.
 *
 * @param rules what the table plays
 * @param handId the id that proposals name
 * @param seats players dealt in, clockwise from the left of the button
 * @param stacks their chips before anything is posted
 * @param buttonSeat the button's seat, which may be empty
 * @param smallBlindSeat who posts the small blind; 0 means nobody
 * @param bigBlindSeat who posts the big blind
 */
public record HandSetup(
        TableRules rules,
        String handId,
        List<Integer> seats,
        List<Long> stacks,
        int buttonSeat,
        int smallBlindSeat,
        int bigBlindSeat) {}
