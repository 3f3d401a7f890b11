package referee.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A hand as one seat sees it: a fold over the events of its view, hidden cards as -1. Events say what happened; whether
 * it was legal is the referee's affair.
 */
public final class HandView {
    private static final int NO_PLAYER = -1;

    /** Events of the table; all others are of a seat. */
    private static final Set<EventKind> TABLE_EVENTS = EnumSet.of(
            EventKind.ROUND_CLOSED,
            EventKind.BOARD_DEALT,
            EventKind.DISCARDS_OPENED,
            EventKind.DISCARDS_CLOSED,
            EventKind.RAKE_TAKEN,
            EventKind.HAND_ENDED);

    private final HandSetup setup;
    private final long number;
    private final String tableId;
    private final String matchName;
    private final Map<Integer, String> names;
    private final List<Event> events = new ArrayList<>();
    private final Map<Integer, List<Integer>> shown = new HashMap<>();
    private final Set<Integer> haveDiscarded = new HashSet<>();
    private final long[] stack;
    private final long[] bet;
    private final long[] putIn;
    private final boolean[] live;
    private final List<List<Integer>> kept;
    private final List<List<Integer>> discarded;
    private final List<Integer> board = new ArrayList<>();
    private final List<Integer> joined = new ArrayList<>();
    private long dead;
    private long level;
    private int street;
    private int seat;
    private boolean discardsDone;
    private boolean over;

    HandView(HandSetup setup, long number, String tableId, String matchName, Map<Integer, String> names) {
        int players = setup.seats().size();
        this.setup = setup;
        this.number = number;
        this.tableId = tableId;
        this.matchName = matchName;
        this.names = Map.copyOf(names);
        stack = setup.stacks().stream().mapToLong(Long::longValue).toArray();
        bet = new long[players];
        putIn = new long[players];
        live = new boolean[players];
        Arrays.fill(live, true);
        kept = new ArrayList<>(Collections.nCopies(players, List.of()));
        discarded = new ArrayList<>(Collections.nCopies(players, List.of()));
        level = setup.rules().stakes().bigBlind();
        discardsDone = game().discards() == 0;
    }

    // --- what there is to know --------------------------------------------------------------------------

    /** What was fixed before the hand began. */
    public HandSetup setup() {
        return setup;
    }

    /** The hand's number at its table. */
    public long number() {
        return number;
    }

    /** The table. */
    public String tableId() {
        return tableId;
    }

    /** The seat whose cards the events tell; 0 before they are dealt. */
    public int seat() {
        return seat;
    }

    /** The events so far. */
    public List<Event> events() {
        return List.copyOf(events);
    }

    /** Whether everything is settled. */
    public boolean over() {
        return over;
    }

    /** The board, discards that joined it last. */
    public List<Integer> board() {
        List<Integer> all = new ArrayList<>(board);
        all.addAll(joined);
        return List.copyOf(all);
    }

    /** Every chip that was put in. */
    public long pot() {
        return Arrays.stream(putIn).sum() + dead;
    }

    /** The cards that the seat still holds. */
    public List<Integer> hole() {
        int player = setup.seats().indexOf(seat);
        return player < 0 ? List.of() : kept.get(player);
    }

    /** A seat's chips now; throws IllegalArgumentException for a seat that was not dealt in. */
    public long stackOf(int someSeat) {
        return stack[dealtIn(someSeat)];
    }

    /** What a seat has won or lost in this hand so far, in chips. */
    public long netOf(int someSeat) {
        int player = dealtIn(someSeat);
        return stack[player] - setup.stacks().get(player);
    }

    /** The players dealt in, clockwise from the left of the button. */
    public List<PlayerView> players() {
        boolean everybodyHas = discardsDone && game().discards() > 0;
        List<PlayerView> players = new ArrayList<>(stack.length);
        for (int player = 0; player < stack.length; player++) {
            int theirs = setup.seats().get(player);
            players.add(new PlayerView(
                    theirs,
                    names.getOrDefault(theirs, ""),
                    stack[player],
                    bet[player],
                    putIn[player],
                    live[player],
                    live[player] && stack[player] == 0,
                    haveDiscarded.contains(theirs) || (everybodyHas && live[player]),
                    shown.getOrDefault(theirs, List.of())));
        }
        return List.copyOf(players);
    }

    /** Proposes to turn up one's hand after it is over (SHOW-2, SHOW-7). */
    public Proposal show() {
        return new Proposal(seat, ActionKind.SHOW, 0, List.of(), setup.handId(), 0);
    }

    /** The open decision of the seat that the options are for. */
    Decision decision(LegalOptions legal, OptionalLong remainingMs, Optional<Ruling> refusal) {
        int player = playerOf(legal.seat());
        return new Decision(
                tableId,
                matchName,
                setup.handId(),
                number,
                legal.seat(),
                setup.rules(),
                setup.buttonSeat(),
                setup.smallBlindSeat(),
                setup.bigBlindSeat(),
                street,
                players(),
                kept.get(player),
                discarded.get(player),
                board(),
                List.copyOf(joined),
                pot(),
                level,
                legal,
                remainingMs,
                events(),
                refusal);
    }

    private Game game() {
        return setup.rules().ruleSet().game();
    }

    private int dealtIn(int someSeat) {
        int player = setup.seats().indexOf(someSeat);
        if (player < 0) {
            throw new IllegalArgumentException("seat " + someSeat + " was not dealt in");
        }
        return player;
    }

    // --- the fold ---------------------------------------------------------------------------------------

    /** Takes the next event of the view; throws BrokenStreamException for one that cannot be of this hand. */
    void fold(Event event) {
        int player = TABLE_EVENTS.contains(event.kind()) ? NO_PLAYER : playerOf(event.seat());
        switch (event.kind()) {
            case ANTE_POSTED -> {
                stack[player] -= event.amount();
                putIn[player] += event.amount();
            }
            case DEAD_POSTED -> {
                stack[player] -= event.amount();
                dead += event.amount();
            }
            case BLIND_POSTED, CALLED -> pay(player, event.amount());
            case BET, RAISED -> {
                pay(player, event.amount());
                level = event.to();
            }
            case HOLE_DEALT -> {
                kept.set(player, event.cards());
                if (!event.cards().contains(Cards.UNKNOWN)) {
                    seat = event.seat();
                }
            }
            case FOLDED, LATE_FOLD_SHOWN -> live[player] = false;
            case BET_RETURNED -> pay(player, -event.amount());
            case BOARD_DEALT -> openStreet(event.cards());
            case DISCARDED -> {
                discarded.set(player, event.cards());
                kept.set(player, without(kept.get(player), event.cards()));
                haveDiscarded.add(event.seat());
            }
            case DISCARD_SHOWN -> {
                if (game().discardsJoinBoard()) {
                    joined.addAll(event.cards());
                }
            }
            case DISCARDS_CLOSED -> discardsDone = true;
            case HAND_SHOWN -> shown.put(event.seat(), event.cards());
            case POT_AWARDED -> stack[player] += event.amount();
            case HAND_ENDED -> over = true;
            case CHECKED, ROUND_CLOSED, DISCARDS_OPENED, HAND_MUCKED, RAKE_TAKEN -> {}
        }
        events.add(event);
    }

    private int playerOf(int someSeat) {
        int player = setup.seats().indexOf(someSeat);
        if (player < 0) {
            throw new BrokenStreamException(tableId + ": seat " + someSeat + " was not dealt into hand " + number);
        }
        return player;
    }

    private void pay(int player, long amount) {
        stack[player] -= amount;
        bet[player] += amount;
        putIn[player] += amount;
    }

    private void openStreet(List<Integer> cards) {
        board.addAll(cards);
        street++;
        Arrays.fill(bet, 0);
        level = 0;
    }

    /** The cards kept; a discard that is not among the known cards was one of the unknown ones. */
    private List<Integer> without(List<Integer> hole, List<Integer> discards) {
        List<Integer> rest = new ArrayList<>(hole);
        for (Integer card : discards) {
            if (!rest.remove(card) && !rest.remove((Integer) Cards.UNKNOWN)) {
                throw new BrokenStreamException(tableId + ": a card of hand " + number + " is discarded twice");
            }
        }
        return List.copyOf(rest);
    }
}
