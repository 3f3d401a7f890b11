package referee.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import referee.v1.Hand;
import referee.v1.Table.CommitmentsClosed;
import referee.v1.Table.PlayResponseItem;
import referee.v1.Table.Propose;
import referee.v1.Table.StreamEnd;

/** Following a table without a connection: what is asked, sent again, missed and ignored. */
class FollowerTest {
    private final Told told = new Told("table");
    private final AtomicLong nanos = new AtomicLong();
    private final Follower follower = following(Seat.of("table", "token"));

    private Follower following(Seat seat) {
        return new Follower(seat, PlayOptions.USUAL, nanos::get, new RequestIds());
    }

    private List<Outcome> feed(List<PlayResponseItem> items) throws StreamLostException {
        List<Outcome> outcomes = new ArrayList<>();
        for (PlayResponseItem item : items) {
            outcomes.addAll(follower.receive(item));
        }
        return outcomes;
    }

    private Decision asked(List<PlayResponseItem> items) throws StreamLostException {
        List<Outcome> outcomes = feed(items);
        assertEquals(1, outcomes.size());
        return assertInstanceOf(Outcome.Ask.class, outcomes.get(0)).decision();
    }

    @Test
    void aDecisionTellsTheHandSoFar() throws StreamLostException {
        feed(List.of(told.snapshot()));
        Decision decision = asked(told.toMyTurn());
        assertEquals("Ah Kd", decision.holeText());
        assertEquals(20, decision.pot());
        assertEquals(10, decision.level());
        assertEquals("a-match", decision.matchName());
        assertEquals("player 2", decision.players().get(1).name());
        assertEquals(490, decision.stack());
        assertEquals(5, decision.events().size());
        assertEquals(OptionalLong.empty(), decision.remainingMs());
    }

    @Test
    void timeRunsFromTheMomentTheDecisionCame() throws StreamLostException {
        feed(List.of(told.snapshot()));
        feed(told.begin());
        feed(List.of(told.buttonCalls()));
        PlayResponseItem clocked = told.decision(asked -> asked.setDeadlineUnixMs(1_000_000).setRemainingMs(1500));
        Decision decision = asked(List.of(clocked));
        assertEquals(OptionalLong.of(1500), decision.remainingMs());
        Propose propose = follower.answer(decision, decision.raiseTo(15)).orElseThrow();
        nanos.addAndGet(600_000_000);
        Decision again = asked(List.of(told.refused(propose)));
        assertEquals(OptionalLong.of(900), again.remainingMs());
        assertEquals("SIZE-3", again.refusal().orElseThrow().rule());
    }

    @Test
    void anUnacknowledgedAnswerIsRepeatedUnchanged() throws StreamLostException {
        feed(List.of(told.snapshot()));
        Decision decision = asked(told.toMyTurn());
        Propose propose = follower.answer(decision, decision.check()).orElseThrow();
        follower.attach();
        feed(List.of(told.snapshot()));
        List<Outcome> outcomes = feed(List.of(told.decision()));
        assertEquals(List.of(new Outcome.Send(propose)), outcomes);
        assertEquals(1, follower.played().decisions());
    }

    @Test
    void anAnswerGivenWhileAttachingIsSentOnceAfterTheSnapshot() throws StreamLostException {
        feed(List.of(told.snapshot()));
        Decision decision = asked(told.toMyTurn());
        follower.attach();
        assertTrue(follower.answer(decision, decision.check()).isEmpty());
        List<Outcome> outcomes = feed(List.of(told.snapshot(), told.decision()));
        assertEquals(1, outcomes.size());
        assertInstanceOf(Outcome.Send.class, outcomes.get(0));
    }

    @Test
    void eventsToldAgainChangeNothing() throws StreamLostException {
        feed(List.of(told.snapshot()));
        List<PlayResponseItem> items = told.toMyTurn();
        feed(items.subList(0, items.size() - 1));
        feed(List.of(told.snapshot(told.log)));
        Decision decision = asked(items);
        assertEquals(20, decision.pot());
        assertEquals(5, decision.events().size());
    }

    @Test
    void everyMissingEventIsNoticedAndTheCursorStaysBeforeIt() throws StreamLostException {
        for (int missing = 1; missing < 6; missing++) {
            Told one = new Told("table");
            Follower fresh = following(Seat.of("table", "token"));
            fresh.receive(one.snapshot());
            List<PlayResponseItem> items = new ArrayList<>(one.begin());
            items.add(one.buttonCalls());
            items.addAll(one.checksToTheFlop());
            for (PlayResponseItem item : items.subList(0, missing)) {
                fresh.receive(item);
            }
            PlayResponseItem next = items.get(missing + 1);
            assertThrows(StreamLostException.class, () -> fresh.receive(next));
            assertEquals(missing, fresh.attach().getAttach().getCursor().getNumber());
        }
    }

    @Test
    void aHandThatBeginsBeforeTheLastWasOverIsAGap() throws StreamLostException {
        feed(List.of(told.snapshot()));
        feed(told.begin());
        told.buttonFolds();
        assertThrows(StreamLostException.class, () -> follower.receive(told.begin().get(0)));
    }

    @Test
    void aHandNeverToldWholeIsBegunAnewAndThenGivenUp() {
        told.toMyTurn();
        for (int gap = 1; gap <= Follower.MAX_GAPS; gap++) {
            boolean isForgiven = 2 <= gap && gap <= 1 + Follower.FORGIVEN_GAPS;
            assertEquals(isForgiven, cursorIsKept(), "attempt " + gap);
            assertThrows(StreamLostException.class, this::tellWithAGap);
        }
        assertThrows(BrokenStreamException.class, this::tellWithAGap);
    }

    private boolean cursorIsKept() {
        return follower.attach().getAttach().hasCursor();
    }

    private void tellWithAGap() throws StreamLostException {
        List<referee.v1.Table.SeenEvent> some = new ArrayList<>(told.log);
        some.remove(3);
        feed(List.of(told.snapshot(some)));
    }

    @Test
    void aDecisionOfAnUntoldHandBeginsTheHandAnew() throws StreamLostException {
        feed(List.of(told.snapshot()));
        told.toMyTurn();
        assertThrows(StreamLostException.class, () -> follower.receive(told.decision()));
        assertFalse(cursorIsKept());
        Decision decision = asked(List.of(told.snapshot(told.log), told.decision()));
        assertEquals("table-1", decision.handId());
    }

    @Test
    void whatANewerServerSaysIsIgnored() throws StreamLostException {
        UnknownFieldSet strange = UnknownFieldSet.newBuilder()
                .addField(100, UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.EMPTY).build())
                .build();
        PlayResponseItem strangeItem = told.item().setUnknownFields(strange).build();
        feed(List.of(strangeItem, told.snapshot(), PlayResponseItem.getDefaultInstance()));
        feed(told.begin());
        feed(List.of(told.seen(seen -> seen.setUnknownFields(strange))));
        feed(List.of(told.seen(seen -> seen.setHandEvent(Hand.Event.newBuilder().setKindValue(88).setSeat(2)))));
        feed(List.of(told.buttonCalls()));
        Decision decision = asked(List.of(told.decision(asked -> asked.setUnknownFields(strange))));
        assertEquals(5, decision.events().size());
    }

    @Test
    void aRefusalWithAnUnknownReasonIsAskedAgain() throws StreamLostException {
        feed(List.of(told.snapshot()));
        Decision decision = asked(told.toMyTurn());
        Propose propose = follower.answer(decision, decision.check()).orElseThrow();
        Hand.Ruling ruling = Hand.Ruling.newBuilder()
                .setRule("NEW-1")
                .setReasonValue(999)
                .setMessage("a rule of tomorrow")
                .build();
        Decision again = asked(List.of(told.answered(propose, ruling)));
        assertTrue(again.refusal().orElseThrow().reason().isEmpty());
        assertEquals("a rule of tomorrow", again.refusal().orElseThrow().message());
    }

    @Test
    void aRefusalOfADecisionThatIsGoneAsksNobody() throws StreamLostException {
        feed(List.of(told.snapshot()));
        Decision decision = asked(told.toMyTurn());
        Propose late = follower.answer(decision, decision.check()).orElseThrow();
        feed(told.checksToTheFlop());
        assertEquals(List.of(), feed(List.of(told.refused(late))));
        assertEquals(1, follower.played().refusals());
        assertEquals("flop", asked(List.of(told.decision())).streetName());
    }

    @Test
    void anAnswerNotRuledOnByAStoppingTableIsSentAgainWhenItGoesOn() throws StreamLostException {
        feed(List.of(told.snapshot()));
        Decision decision = asked(told.toMyTurn());
        Propose propose = follower.answer(decision, decision.check()).orElseThrow();
        Hand.Ruling none = Hand.Ruling.newBuilder().setRule("BET-9").setMessage("not being played").build();
        assertEquals(List.of(), feed(List.of(told.answered(propose, none))));
        assertEquals(0, follower.played().refusals());
        follower.attach();
        assertEquals(List.of(new Outcome.Send(propose)), feed(List.of(told.snapshot(), told.decision())));
    }

    @Test
    void aSeatThatWasJustTakenBeginsWithTheHandOfThatMoment() {
        Follower fresh = following(new Seat("table", "token", 1, 3, ByteString.EMPTY));
        assertEquals(3, fresh.attach().getAttach().getCursor().getHand());
        assertTrue(fresh.attach().getAttach().hasCursor());
    }

    @Test
    void anUnknownCursorIsGivenUp() throws StreamLostException {
        feed(List.of(told.snapshot()));
        feed(told.begin());
        assertTrue(cursorIsKept());
        PlayResponseItem end = told.item()
                .setEnd(StreamEnd.newBuilder().setReasonValue(9))
                .build();
        assertInstanceOf(Outcome.Interrupted.class, follower.receive(end).get(0));
        assertFalse(cursorIsKept());
    }

    @Test
    void theSeedIsRevealedOnceAllCommitmentsAreShown() throws StreamLostException {
        ByteString seed = ByteString.copyFromUtf8("0123456789abcdef0123456789abcdef");
        Follower fresh = following(new Seat("table", "token", 1, 0, seed));
        fresh.receive(told.snapshot());
        PlayResponseItem closed =
                told.seen(seen -> seen.setCommitmentsClosed(CommitmentsClosed.newBuilder().addSeats(1)));
        assertEquals(List.of(new Outcome.Reveal(seed)), fresh.receive(closed));
        assertEquals(List.of(), fresh.receive(closed));
    }

    @Test
    void winningsAreCounted() throws StreamLostException {
        feed(List.of(told.snapshot()));
        feed(told.begin());
        feed(told.buttonFolds());
        assertEquals(1, follower.played().hands());
        assertEquals(5, follower.played().net());
        assertEquals(1, follower.played().seat());
    }

    @Test
    void anUnknownPublishedRuleSetIsSaid() {
        PlayResponseItem.Builder snapshot = told.snapshot().toBuilder();
        snapshot.getSnapshotBuilder().getTableBuilder().getConfigBuilder().setRuleSetName("irish/tomorrow@1");
        RuleSetException error =
                assertThrows(RuleSetException.class, () -> follower.receive(snapshot.build()));
        assertEquals("GAME-3", error.rule());
    }
}
