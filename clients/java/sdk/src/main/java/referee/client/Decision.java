package referee.client;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One open decision of one seat, with all that the seat may know. Amounts in chips, cards as {@link Cards integers}.
 *
 * <p>Methods that name an action ({@link #call}, {@link #raiseTo}) propose it whether it is legal or not; those with
 * "or" in their names, {@link #betPot} and {@link #discardLast} propose only what is legal. Where a discard is owed
 * these discard the cards dealt last.
 *
 * @param tableId the table
 * @param matchName the match's name in the derivation of the deals
 * @param handId the hand's id
 * @param handNumber the hand's number at its table
 * @param seat this seat
 * @param rules rule set, betting structure and stakes
 * @param buttonSeat the button's seat, which may be empty
 * @param smallBlindSeat who posted the small blind; 0 means nobody
 * @param bigBlindSeat who posted the big blind
 * @param street 0 before the flop to 3 on the river
 * @param players clockwise from the left of the button, so that who acts last after the flop comes last
 * @param hole the cards still held, in the order in which they were dealt
 * @param discarded those already given up
 * @param board all that counts for everybody, discards that joined it last
 * @param joined the discards among the board (GAME-3)
 * @param pot every chip in the middle
 * @param level the street total to match
 * @param legal all that is legal; amounts are street totals ("raise to"), never increments
 * @param remainingMs what is left of the time, bank included; empty without a clock
 * @param events the hand so far as this seat sees it, cards that it may not see as -1
 * @param refusal the ruling that refused this seat's last answer to this same decision
 */
public record Decision(
        String tableId,
        String matchName,
        String handId,
        long handNumber,
        int seat,
        TableRules rules,
        int buttonSeat,
        int smallBlindSeat,
        int bigBlindSeat,
        int street,
        List<PlayerView> players,
        List<Integer> hole,
        List<Integer> discarded,
        List<Integer> board,
        List<Integer> joined,
        long pot,
        long level,
        LegalOptions legal,
        OptionalLong remainingMs,
        List<Event> events,
        Optional<Ruling> refusal) {
    private static final List<String> STREET_NAMES = List.of("pre-flop", "flop", "turn", "river");
    private static final BigInteger HUNDRED = BigInteger.valueOf(100);

    // --- what there is to know --------------------------------------------------------------------------

    /** The game as data: hole cards, discards, when, and what becomes of them. */
    public Game game() {
        return rules.ruleSet().game();
    }

    /** The stakes. */
    public Stakes stakes() {
        return rules.stakes();
    }

    /** The big blind, in chips. */
    public long bigBlind() {
        return stakes().bigBlind();
    }

    /** How many cards are to be discarded now; 0 in a betting round. */
    public int mustDiscard() {
        return legal.discard();
    }

    /** What calling adds; 0 when there is nothing to call. */
    public long toCall() {
        return legal.call();
    }

    /** {@code pre-flop}, {@code flop}, {@code turn} or {@code river}. */
    public String streetName() {
        return STREET_NAMES.get(street);
    }

    /** This seat's player. */
    public PlayerView me() {
        return players.stream().filter(player -> player.seat() == seat).findFirst().orElseThrow();
    }

    /** This seat's chips, what is in the middle not included. */
    public long stack() {
        return me().stack();
    }

    /** The other live players, clockwise from the left of the button. */
    public List<PlayerView> opponents() {
        return players.stream().filter(player -> player.live() && player.seat() != seat).toList();
    }

    /** Whether no other player with chips acts after this seat on the rounds after the flop. */
    public boolean actsLast() {
        List<PlayerView> able = players.stream().filter(player -> player.live() && !player.allIn()).toList();
        return !able.isEmpty() && able.get(able.size() - 1).seat() == seat;
    }

    /** The cards still held, such as {@code Ah Kd}. */
    public String holeText() {
        return Cards.text(hole);
    }

    /** The board, such as {@code 5h 7d 9h}. */
    public String boardText() {
        return Cards.text(board);
    }

    // --- actions by name --------------------------------------------------------------------------------

    /** Proposes to fold. */
    public Proposal fold() {
        return propose(ActionKind.FOLD, 0);
    }

    /** Proposes to check. */
    public Proposal check() {
        return propose(ActionKind.CHECK, 0);
    }

    /** Proposes to call, with all chips if they are fewer. */
    public Proposal call() {
        return propose(ActionKind.CALL, 0);
    }

    /** Proposes to lift the level to this street total: a bet where there is none yet, else a raise (BET-2). */
    public Proposal raiseTo(long total) {
        return propose(level > 0 ? ActionKind.RAISE : ActionKind.BET, total);
    }

    /** Proposes to discard these cards. */
    public Proposal discard(List<Integer> cards) {
        return new Proposal(seat, ActionKind.DISCARD, 0, cards, handId, legal.decisionId());
    }

    /** Proposes to discard these cards, such as {@code "9h 9c"}. */
    public Proposal discard(String cards) {
        return discard(Cards.parseAll(cards));
    }

    // --- only what is legal -----------------------------------------------------------------------------

    /** Checks if nothing is owed, else folds. */
    public Proposal checkOrFold() {
        if (legal.discard() > 0) {
            return discardLast();
        }
        return legal.check() ? check() : fold();
    }

    /** Checks if nothing is owed, else calls. */
    public Proposal checkOrCall() {
        if (legal.discard() > 0) {
            return discardLast();
        }
        return legal.check() ? check() : call();
    }

    /**
     * Lifts the level to the legal street total nearest below {@code total}, or to the lowest one; checks or calls
     * where no wager is legal.
     */
    public Proposal betOrRaise(long total) {
        if (!legal.mayWager()) {
            return checkOrCall();
        }
        if (total >= legal.maxTo()) {
            return propose(legal.wager(), legal.maxTo());
        }
        long above = total <= legal.minTo() ? 0 : total - legal.minTo();
        return propose(legal.wager(), legal.minTo() + above / legal.step() * legal.step());
    }

    /** Bets or raises by so many percent of the pot as it is after calling, as near as is legal. */
    public Proposal betPot(long percent) {
        // Exact whatever the percentage is: a total that no long holds is beyond every legal one.
        BigInteger[] parts = BigInteger.valueOf(pot)
                .add(BigInteger.valueOf(legal.call()))
                .multiply(BigInteger.valueOf(percent))
                .divideAndRemainder(HUNDRED);
        BigInteger raise = parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
        BigInteger total = raise.add(BigInteger.valueOf(level));
        boolean fits = total.bitLength() < Long.SIZE;
        return betOrRaise(fits ? total.longValue() : total.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE);
    }

    /** Puts in as much as the betting structure allows; checks or calls where no wager is legal. */
    public Proposal allInOrCall() {
        return betOrRaise(legal.maxTo());
    }

    /** Discards the cards dealt last, which is what the referee does for a seat out of time (DISC-8). */
    public Proposal discardLast() {
        List<Integer> held = legal.held();
        return discard(held.subList(held.size() - legal.discard(), held.size()));
    }

    // --- proposals --------------------------------------------------------------------------------------

    /** The proposal as this seat's, with hand and decision filled in where it does not name them (BET-9). */
    Proposal completed(Proposal proposal) {
        return new Proposal(
                seat,
                proposal.kind(),
                proposal.to(),
                proposal.cards(),
                proposal.handId().isEmpty() ? handId : proposal.handId(),
                proposal.decisionId() == 0 ? legal.decisionId() : proposal.decisionId());
    }

    private Proposal propose(ActionKind kind, long total) {
        return new Proposal(seat, kind, total, List.of(), handId, legal.decisionId());
    }
}
