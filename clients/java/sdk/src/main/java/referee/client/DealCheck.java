package referee.client;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import referee.client.deals.CommittedDeck;
import referee.client.deals.DealException;
import referee.client.deals.FairDecks;
import referee.client.deals.MatchSeeds;
import referee.client.deals.SeatSeed;
import referee.v1.Table;
import referee.v1.Table.CommitmentsClosed;
import referee.v1.Table.TableOpened;

/**
 * A player's own check of the deals: from what the referee published before, when the seeds are shown at the end.
 * docs/fair-deals.md says what this proves, and what it does not.
 */
final class DealCheck {
    /** How many hands of a match are kept for the check: the newest. */
    private static final int MAX_HANDS = 20_000;

    /** What a seat saw of a hand's cards, and what was published before it. */
    private record Dealt(
            ByteString deckRoot, HandSetup setup, Map<Integer, List<Integer>> holes, List<Integer> board) {}

    private final ByteString seed;
    private final Map<Long, Dealt> hands = new LinkedHashMap<>();
    private TableOpened opened;
    private CommitmentsClosed closed;
    private long begunHand;
    private ByteString begunRoot = ByteString.EMPTY;
    private int checked;
    private String fault = "";

    /** Checks for the seat with this seed; empty for none. */
    DealCheck(ByteString seed) {
        this.seed = seed;
    }

    /** How many hands' decks were found to be those that the seeds make. */
    int checked() {
        return checked;
    }

    /** What was wrong first; empty when nothing was. */
    String fault() {
        return fault;
    }

    /** Keeps the referee's commitment. */
    void opened(TableOpened table) {
        opened = table;
    }

    /** Keeps everybody's commitments. */
    void closed(CommitmentsClosed commitments) {
        closed = commitments;
    }

    /** Keeps what commits to the deck of the hand that begins; no root where the host gave the cards. */
    void began(long number, ByteString deckRoot) {
        begunHand = number;
        begunRoot = deckRoot;
    }

    /** Keeps the cards that were seen of a hand that is over. */
    void over(HandView view) {
        if (begunRoot.isEmpty() || begunHand != view.number()) {
            return;
        }
        Map<Integer, List<Integer>> holes = new HashMap<>();
        for (Event event : view.events()) {
            if (event.kind() == EventKind.HOLE_DEALT && !event.cards().contains(Cards.UNKNOWN)) {
                holes.put(event.seat(), event.cards());
            }
        }
        List<Integer> board = view.events().stream()
                .filter(event -> event.kind() == EventKind.BOARD_DEALT)
                .flatMap(event -> event.cards().stream())
                .toList();
        hands.put(view.number(), new Dealt(begunRoot, view.setup(), holes, board));
        if (hands.size() > MAX_HANDS) {
            Iterator<Long> oldest = hands.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Checks all hands by the seeds that are shown now; without what was published before nothing is checked. */
    void ended(Table.MatchSeeds shown) {
        checked = 0;
        fault = "";
        if (opened == null || closed == null) {
            return;
        }
        try {
            if (shown.getSeatsCount() == 0) {
                if (!hands.isEmpty()) {
                    throw new DealException("hands were dealt, and the seeds are not shown");
                }
                return;
            }
            FairDecks decks = new FairDecks(shown.getMatchName(), checkedSeeds(shown).matchSeed());
            for (Map.Entry<Long, Dealt> hand : hands.entrySet()) {
                checkHand(decks, hand.getKey(), hand.getValue());
                checked++;
            }
        } catch (DealException wrong) {
            fault = wrong.getMessage();
        }
    }

    private MatchSeeds checkedSeeds(Table.MatchSeeds shown) throws DealException {
        List<SeatSeed> seats = shown.getSeatsList().stream()
                .map(one -> new SeatSeed(one.getSeat(), one.getCommitment(), one.getSeed()))
                .toList();
        MatchSeeds seeds = new MatchSeeds(shown.getMatchName(), shown.getRefereeSeed(), seats);
        if (!shown.getMatchName().equals(opened.getMatchName())) {
            throw new DealException(
                    "the seeds are those of match " + shown.getMatchName() + ", not " + opened.getMatchName());
        }
        seeds.check(opened.getDealCommitment());
        Map<Integer, ByteString> published = new TreeMap<>();
        closed.getCommitmentsList().forEach(one -> published.put(one.getSeat(), one.getCommitment()));
        if (!seats.stream().map(SeatSeed::seat).toList().equals(closed.getSeatsList())) {
            throw new DealException("the match has other seats than when the commitments were closed");
        }
        for (SeatSeed one : seats) {
            if (!one.commitment().equals(published.getOrDefault(one.seat(), ByteString.EMPTY))) {
                throw new DealException(
                        "seat " + one.seat() + " was committed to another seed when the commitments were closed");
            }
        }
        boolean mineCounts = seats.stream()
                .anyMatch(one -> one.seed().equals(seed) && published.containsKey(one.seat()));
        if (!seed.isEmpty() && !mineCounts) {
            throw new DealException("the own seed is not among those that were used");
        }
        return seeds;
    }

    private static void checkHand(FairDecks decks, long number, Dealt dealt) throws DealException {
        CommittedDeck committed = decks.committed(0, number, 0);
        if (!committed.root().equals(dealt.deckRoot())) {
            throw new DealException("hand " + number + ": the deck is not the one that was committed to before it");
        }
        List<Integer> seats = dealt.setup().seats();
        int holeCards = dealt.setup().rules().ruleSet().game().holeCards();
        List<Integer> deck = committed.deck();
        if (seats.size() * holeCards > deck.size()) {
            throw new DealException("hand " + number + ": more cards were dealt than a deck has");
        }
        for (Map.Entry<Integer, List<Integer>> hole : dealt.holes().entrySet()) {
            int first = seats.indexOf(hole.getKey());
            List<Integer> right = IntStream.range(0, holeCards)
                    .mapToObj(round -> deck.get(first + round * seats.size()))
                    .toList();
            if (!hole.getValue().equals(right)) {
                throw new DealException("hand " + number + ": seat " + hole.getKey() + " was dealt "
                        + Cards.text(hole.getValue()) + ", not " + Cards.text(right));
            }
        }
        int start = seats.size() * holeCards;
        List<Integer> right = deck.subList(start, Math.min(deck.size(), start + dealt.board().size()));
        if (!dealt.board().equals(right)) {
            throw new DealException("hand " + number + ": the board was " + Cards.text(dealt.board()) + ", not "
                    + Cards.text(right));
        }
    }
}
