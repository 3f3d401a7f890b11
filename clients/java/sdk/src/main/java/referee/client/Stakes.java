package referee.client;

import referee.v1.Hand.AnteKind;

/**
 * The amounts of a hand, in chips (BLIND-1, BLIND-5, SIZE-9, POT-8).
 *
 * @param smallBlind the small blind; 0 when there is none
 * @param bigBlind the big blind
 * @param smallBet the small bet of fixed-limit; 0 means the big blind
 * @param bigBet the big bet of fixed-limit, and the late minimum of SIZE-9; 0 means twice the big blind
 * @param anteKind who pays an ante
 * @param ante the ante
 * @param chipUnit the smallest amount that changes hands
 * @param rakeBasisPoints rake in basis points of each pot
 * @param rakeCap the most rake of a hand; -1 means no cap
 * @param noFlopNoDrop no rake unless a flop was dealt
 */
public record Stakes(
        long smallBlind,
        long bigBlind,
        long smallBet,
        long bigBet,
        AnteKind anteKind,
        long ante,
        long chipUnit,
        int rakeBasisPoints,
        long rakeCap,
        boolean noFlopNoDrop) {
    /** Blinds alone. */
    public static Stakes of(long smallBlind, long bigBlind) {
        return new Stakes(smallBlind, bigBlind, 0, 0, AnteKind.ANTE_KIND_UNSPECIFIED, 0, 1, 0, -1, false);
    }
}
