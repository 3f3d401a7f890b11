package referee.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import referee.client.deals.DealException;
import referee.client.deals.FairDecks;
import referee.client.deals.MatchSeeds;
import referee.client.deals.SeatSeed;
import referee.v1.Table;
import referee.v1.Table.CommitmentsClosed;
import referee.v1.Table.SeedCommitted;
import referee.v1.Table.TableOpened;

/** What the check of the deals says of a referee that withholds or changes seeds, roots or cards. */
class DealCheckTest {
    private static final String MATCH = "a-match";
    private static final ByteString REFEREE_SEED = bytes(0);
    private static final ByteString OWN_SEED = bytes(1);
    private static final ByteString OTHER_SEED = bytes(2);

    private final ByteString commitment = MatchSeeds.commitReferee(MATCH, REFEREE_SEED);
    private final List<SeatSeed> seats = List.of(
            new SeatSeed(1, MatchSeeds.commitSeat(MATCH, 1, OWN_SEED, commitment), OWN_SEED),
            new SeatSeed(2, MatchSeeds.commitSeat(MATCH, 2, OTHER_SEED, commitment), OTHER_SEED));
    private final FairDecks decks =
            new FairDecks(MATCH, new MatchSeeds(MATCH, REFEREE_SEED, seats).matchSeed());

    private final DealCheck check = new DealCheck(OWN_SEED);

    DealCheckTest() throws DealException {}

    private static ByteString bytes(int each) {
        byte[] some = new byte[MatchSeeds.SEED_BYTES];
        java.util.Arrays.fill(some, (byte) each);
        return ByteString.copyFrom(some);
    }

    /** One hand, with what the referee deals, publishes and shows changed. */
    private String fault(
            UnaryOperator<List<Integer>> deck,
            UnaryOperator<ByteString> root,
            UnaryOperator<Table.MatchSeeds.Builder> shown)
            throws DealException {
        check.opened(TableOpened.newBuilder().setMatchName(MATCH).setDealCommitment(commitment).build());
        CommitmentsClosed.Builder closed = CommitmentsClosed.newBuilder().addSeats(1).addSeats(2);
        seats.forEach(seat -> closed.addCommitments(
                SeedCommitted.newBuilder().setSeat(seat.seat()).setCommitment(seat.commitment())));
        check.closed(closed.build());
        check.began(1, root.apply(decks.committed(0, 1, 0).root()));
        check.over(hand(deck.apply(decks.committed(0, 1, 0).deck())));
        Table.MatchSeeds.Builder seeds =
                Table.MatchSeeds.newBuilder().setMatchName(MATCH).setRefereeSeed(REFEREE_SEED);
        seats.forEach(seat -> seeds.addSeats(Table.SeatSeed.newBuilder()
                .setSeat(seat.seat())
                .setCommitment(seat.commitment())
                .setSeed(seat.seed())));
        check.ended(shown.apply(seeds).build());
        return check.fault();
    }

    /** Two players, four cards each, dealt one at a time; seat 1 sees its own, and a flop. */
    private static HandView hand(List<Integer> deck) {
        TableRules rules = new TableRules(RuleSet.published("irish/full-tilt@1"), Limit.NO_LIMIT, Stakes.of(5, 10));
        HandSetup setup = new HandSetup(rules, "t-1", List.of(1, 2), List.of(500L, 500L), 2, 2, 1);
        HandView view = new HandView(setup, 1, "t", MATCH, Map.of());
        view.fold(dealt(EventKind.HOLE_DEALT, 1, List.of(deck.get(0), deck.get(2), deck.get(4), deck.get(6))));
        view.fold(dealt(EventKind.HOLE_DEALT, 2, Collections.nCopies(4, Cards.UNKNOWN)));
        view.fold(dealt(EventKind.BOARD_DEALT, 0, deck.subList(8, 11)));
        return view;
    }

    private static Event dealt(EventKind kind, int seat, List<Integer> cards) {
        return new Event(kind, "", seat, 0, 0, cards, 0, false, false);
    }

    private static List<Integer> swapped(List<Integer> deck, int one, int other) {
        List<Integer> changed = new ArrayList<>(deck);
        Collections.swap(changed, one, other);
        return changed;
    }

    private static <T> UnaryOperator<T> same() {
        return UnaryOperator.identity();
    }

    @Test
    void anHonestMatchIsChecked() throws DealException {
        assertEquals("", fault(same(), same(), same()));
        assertEquals(1, check.checked());
    }

    @Test
    void aSwappedCardIsFound() throws DealException {
        String fault = fault(deck -> swapped(deck, 4, 40), same(), same());
        assertEquals("hand 1: seat 1 was dealt", fault.substring(0, 24));
        assertEquals(0, check.checked());
    }

    @Test
    void aSwappedBoardCardIsFound() throws DealException {
        assertEquals("hand 1: the board was", fault(deck -> swapped(deck, 10, 40), same(), same()).substring(0, 21));
    }

    @Test
    void anotherRootIsFound() throws DealException {
        assertEquals(
                "hand 1: the deck is not the one that was committed to before it",
                fault(same(), root -> bytes(9), same()));
    }

    @Test
    void withheldSeedsAreAFaultOnceHandsWereDealt() throws DealException {
        assertEquals(
                "hands were dealt, and the seeds are not shown", fault(same(), same(), shown -> shown.clearSeats()));
    }

    @Test
    void anotherRefereeSeedIsFound() throws DealException {
        assertEquals(
                "the referee's seed is not the committed one",
                fault(same(), same(), shown -> shown.setRefereeSeed(bytes(9))));
    }

    @Test
    void anotherMatchIsFound() throws DealException {
        assertEquals(
                "the seeds are those of match b-match, not a-match",
                fault(same(), same(), shown -> shown.setMatchName("b-match")));
    }

    @Test
    void theOwnSeedMustBeAmongThoseUsed() throws DealException {
        assertEquals(
                "the own seed is not among those that were used",
                fault(same(), same(), shown -> {
                    shown.getSeatsBuilder(0).clearSeed();
                    return shown;
                }));
    }

    @Test
    void anotherSeatSeedIsFound() throws DealException {
        assertEquals(
                "seat 2's seed is not the committed one",
                fault(same(), same(), shown -> {
                    shown.getSeatsBuilder(1).setSeed(bytes(9));
                    return shown;
                }));
    }

    @Test
    void aSeatThatWasNotThereIsFound() throws DealException {
        assertEquals(
                "the match has other seats than when the commitments were closed",
                fault(same(), same(), shown -> shown.addSeats(Table.SeatSeed.newBuilder().setSeat(3))));
    }

    @Test
    void withoutWhatWasPublishedBeforeNothingIsChecked() {
        check.ended(Table.MatchSeeds.newBuilder().setMatchName(MATCH).build());
        assertEquals("", check.fault());
        assertEquals(0, check.checked());
    }
}
