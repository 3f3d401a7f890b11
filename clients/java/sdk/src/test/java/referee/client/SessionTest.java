package referee.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import referee.client.ScriptedTables.Script;
import referee.v1.Table.Attach;
import referee.v1.Table.Heartbeat;
import referee.v1.Table.LeaveSeatRequest;
import referee.v1.Table.PlayRequest;
import referee.v1.Table.PlayRequestItem;
import referee.v1.Table.PlayResponseItem;
import referee.v1.Table.Propose;
import referee.v1.Table.StreamEnd;
import referee.v1.Table.StreamEndReason;

/** Playing over a real stream, against a server that cuts, repeats, skips, refuses and falls silent. */
@Timeout(60)
class SessionTest {
    private static final Backoff SHORT = new Backoff(Duration.ofMillis(2), Duration.ofMillis(20), 12);
    private static final PlayOptions OPTIONS = PlayOptions.USUAL.withBackoff(SHORT);

    private final Told told = new Told("table");

    private static List<Played> play(ScriptedTables server, Bot bot, PlayOptions options, String... tables)
            throws InterruptedException {
        List<Seat> seats = Arrays.stream(tables).map(table -> Seat.of(table, "token of " + table)).toList();
        return RefereeClient.of(server.target()).withBackoff(SHORT).play(bot, seats, options);
    }

    private static Played play(ScriptedTables server, Bot bot) throws InterruptedException {
        return play(server, bot, OPTIONS, "table").get(0);
    }

    private Script ending() {
        return stream -> {
            stream.attached();
            stream.say(told.snapshot(), told.tableEnded());
            stream.closed();
        };
    }

    @Test
    void aBotPlaysATableToItsEnd() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        Script script = stream -> {
            Attach attach = stream.attached();
            assertEquals("token of table", attach.getSeatToken());
            assertFalse(attach.hasCursor());
            stream.say(told.snapshot());
            stream.say(told.toMyTurn());
            Propose propose = stream.answer();
            assertTrue(propose.getProposal().getAction().hasCheck());
            assertEquals("table-1", propose.getProposal().getHandId());
            stream.say(told.accepted(propose));
            stream.say(told.checksToTheFlop());
            stream.say(told.decision());
            stream.say(told.accepted(stream.answer()), told.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            Played played = play(server, decision -> {
                asked.add(decision.streetName() + " " + decision.boardText());
                return decision.checkOrCall();
            });
            assertEquals(List.of("pre-flop ", "flop 2c 7d 9h"), asked);
            assertEquals("TABLE_ENDED", played.reason());
            assertEquals(2, played.decisions());
            assertEquals(0, played.resumed());
        }
    }

    // --- lost connections -------------------------------------------------------------------------------

    @Test
    void anAnswerThatWasNotAcknowledgedIsSentAgainUnchangedAndNobodyIsAskedTwice() throws Exception {
        List<Propose> sent = new CopyOnWriteArrayList<>();
        List<Decision> asked = new CopyOnWriteArrayList<>();
        Script lostAfterTheAnswer = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.toMyTurn());
            sent.add(stream.answer());
            stream.cut(Status.UNAVAILABLE);
        };
        Script repeated = stream -> {
            Attach attach = stream.attached();
            assertEquals(1, attach.getCursor().getHand());
            assertEquals(told.count, attach.getCursor().getNumber());
            stream.say(told.snapshot(), told.decision());
            sent.add(stream.answer());
            stream.say(told.accepted(sent.get(1)), told.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(lostAfterTheAnswer, repeated)) {
            Played played = play(server, decision -> {
                asked.add(decision);
                return decision.check();
            });
            assertEquals(sent.get(0).toByteString(), sent.get(1).toByteString());
            assertEquals(1, asked.size());
            assertEquals(1, played.decisions());
            assertEquals(1, played.resumed());
        }
    }

    @Test
    void anAnswerThatWasAcceptedBeforeTheCutIsNotSentAgain() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        Script first = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.toMyTurn());
            stream.answer();
            told.checksToTheFlop(); // accepted and stored; the client is not told
            stream.cut(Status.UNAVAILABLE);
        };
        Script second = stream -> {
            long seen = stream.attached().getCursor().getNumber();
            stream.say(told.snapshot(told.log.stream().filter(event -> event.getNumber() > seen).toList()));
            stream.say(told.decision());
            Propose propose = stream.answer();
            assertEquals(2, propose.getProposal().getDecisionId());
            stream.say(told.accepted(propose), told.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(first, second)) {
            play(server, decision -> {
                asked.add(decision.streetName());
                return decision.check();
            });
            assertEquals(List.of("pre-flop", "flop"), asked);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ends", "UNAVAILABLE", "CANCELLED", "INTERNAL", "UNKNOWN", "RESOURCE_EXHAUSTED"})
    void aStreamThatIsCutInAnyWayIsResumed(String how) throws Exception {
        Script first = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.begin());
            if (how.equals("ends")) {
                stream.end();
            } else {
                stream.cut(Status.Code.valueOf(how).toStatus());
            }
        };
        try (ScriptedTables server = new ScriptedTables(first, ending())) {
            assertEquals("TABLE_ENDED", play(server, Decision::checkOrCall).reason());
            assertEquals(2, server.streams.get());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 9, 99})
    void endsThatAreNotTheEndAreResumed(int reason) throws Exception {
        Script first = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.begin());
            stream.say(PlayResponseItem.newBuilder()
                    .setEnd(StreamEnd.newBuilder().setReasonValue(reason))
                    .build());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(first, ending())) {
            Played played = play(server, Decision::checkOrCall);
            assertEquals("TABLE_ENDED", played.reason());
            assertEquals(1, played.resumed());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = StreamEndReason.class,
            names = {
                "STREAM_END_REASON_TABLE_ENDED", "STREAM_END_REASON_REPLACED", "STREAM_END_REASON_DETACHED",
                "STREAM_END_REASON_NOT_ALLOWED", "STREAM_END_REASON_FLOODING"
            })
    void endsThatAreTheEndAreNotResumed(StreamEndReason reason) throws Exception {
        Script script = stream -> {
            stream.attached();
            stream.say(told.snapshot(), told.end(reason));
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            assertEquals("STREAM_END_REASON_" + play(server, Decision::checkOrCall).reason(), reason.name());
            assertEquals(1, server.streams.get());
        }
    }

    @Test
    void aSeatThatIsNotAllowedAnyMoreTriesItsCursorThenWithoutOneThenGivesUp() throws Exception {
        List<Boolean> cursors = new CopyOnWriteArrayList<>();
        Script cut = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.begin());
            stream.cut(Status.UNAVAILABLE);
        };
        Script notAllowed = stream -> {
            cursors.add(stream.attached().hasCursor());
            stream.say(told.end(StreamEndReason.STREAM_END_REASON_NOT_ALLOWED));
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(cut, notAllowed, notAllowed, notAllowed, notAllowed)) {
            assertEquals("NOT_ALLOWED", play(server, Decision::checkOrCall).reason());
            assertEquals(List.of(true, true, true, false), cursors);
        }
    }

    @Test
    void aGapIsResumedFromTheLastGoodCursor() throws Exception {
        Script withAGap = stream -> {
            stream.attached();
            List<PlayResponseItem> items = told.toMyTurn();
            stream.say(told.snapshot());
            stream.say(items.subList(0, 3));
            stream.say(items.subList(4, items.size()));
            stream.closed();
        };
        Script whole = stream -> {
            assertEquals(3, stream.attached().getCursor().getNumber());
            stream.say(told.snapshot(told.log.subList(3, told.log.size())), told.decision());
            stream.say(told.accepted(stream.answer()), told.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(withAGap, whole)) {
            Played played = play(server, Decision::checkOrCall);
            assertTrue(server.cancelled.await(10, TimeUnit.SECONDS), "the stream with the gap is cancelled");
            assertEquals(1, played.decisions());
        }
    }

    @Test
    void silenceIsResumedAndHeartbeatsAreNoSilence() throws Exception {
        CountDownLatch beat = new CountDownLatch(1);
        Script silent = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.begin());
            beat.await();
            stream.say(told.item().setHeartbeat(Heartbeat.newBuilder().setTimeUnixMs(1)).build());
            stream.say(told.buttonFolds());
            stream.closed();
        };
        HandTime time = new HandTime();
        try (ScriptedTables server = new ScriptedTables(silent, ending())) {
            RefereeClient client = RefereeClient.of(server.target());
            Bot bot = Decision::checkOrCall;
            List<Seat> seats = List.of(Seat.of("table", "token"));
            try (Session session =
                    new Session(Server.plain(server.target()), client, bot, seats, PlayOptions.USUAL, time)) {
                CompletableFuture<List<Played>> playing = session.start();
                await(() -> session.played().get(0).seat() == 1);
                time.goOn(20_000);
                beat.countDown();
                await(() -> session.played().get(0).hands() == 1);
                time.goOn(20_000); // 40 s after the beginning, 20 s after the heartbeat
                await(time::isAwaited);
                assertEquals(1, server.cancelled.getCount(), "the stream goes on");
                time.goOn(10_001);
                assertTrue(server.cancelled.await(10, TimeUnit.SECONDS), "the silent stream is cancelled");
                await(time::isAwaited); // the wait before the next attempt has begun
                time.goOn(Backoff.USUAL.first().toMillis());
                assertEquals(1, playing.get(20, TimeUnit.SECONDS).get(0).resumed());
                assertEquals(2, server.streams.get());
            }
        }
    }

    private static void await(BooleanSupplier condition) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < until, "it did not happen in 20 s");
            Thread.onSpinWait();
        }
    }

    /** Time that goes on when the test says so. */
    private static final class HandTime implements Session.Time {
        private record Later(long ms, Runnable work) {}

        private final List<Later> waiting = new ArrayList<>();
        private long nowMs;

        @Override
        public synchronized long nanos() {
            return TimeUnit.MILLISECONDS.toNanos(nowMs);
        }

        @Override
        public synchronized void after(long ms, Runnable work) {
            waiting.add(new Later(nowMs + ms, work));
        }

        synchronized boolean isAwaited() {
            return !waiting.isEmpty();
        }

        synchronized void goOn(long ms) {
            nowMs += ms;
            List<Later> due = waiting.stream().filter(later -> later.ms() <= nowMs).toList();
            waiting.removeAll(due);
            due.forEach(later -> later.work().run());
        }
    }

    @Test
    void aServerThatStaysAwayIsGivenUp() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Backoff few = new Backoff(Duration.ofMillis(1), Duration.ofMillis(2), 3);
        RefereeClient client = RefereeClient.of("127.0.0.1:" + port);
        ConnectionLostException error = assertThrows(
                ConnectionLostException.class,
                () -> client.play(
                        Decision::checkOrCall, List.of(Seat.of("table", "token")), OPTIONS.withBackoff(few)));
        assertTrue(error.getMessage().contains("3 attempts"));
        assertThrows(ConnectionLostException.class, () -> client.withBackoff(few).table("table"));
    }

    @Test
    void aCallThatWouldNotGoBetterLaterFailsWithItsError() throws Exception {
        Script script = stream -> {
            stream.attached();
            stream.cut(Status.INVALID_ARGUMENT);
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            StatusRuntimeException error =
                    assertThrows(StatusRuntimeException.class, () -> play(server, Decision::checkOrCall));
            assertEquals(Status.Code.INVALID_ARGUMENT, error.getStatus().getCode());
        }
    }

    // --- refusals ---------------------------------------------------------------------------------------

    @Test
    void aRefusedBotIsToldWhyAndAskedAgainUnderANewRequestId() throws Exception {
        List<Propose> sent = new CopyOnWriteArrayList<>();
        List<Ruling> heard = new CopyOnWriteArrayList<>();
        Script script = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.toMyTurn());
            sent.add(stream.answer());
            stream.say(told.refused(sent.get(0)));
            sent.add(stream.answer());
            stream.say(told.accepted(sent.get(1)), told.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            Played played = play(
                            server,
                            decision -> decision.refusal().isEmpty() ? decision.raiseTo(15) : decision.check(),
                            OPTIONS.withOnRefused((decision, ruling) -> heard.add(ruling)),
                            "table")
                    .get(0);
            assertEquals(Reason.BELOW_MINIMUM, heard.get(0).reason().orElseThrow());
            assertEquals("SIZE-3", heard.get(0).rule());
            assertEquals(20, heard.get(0).legal().orElseThrow().minTo());
            assertFalse(sent.get(0).getRequestId().equals(sent.get(1).getRequestId()));
            assertEquals(1, played.refusals());
            assertEquals(1, played.decisions());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void aBotThatKeepsBeingRefusedIsAnsweredFor(int again) throws Exception {
        List<Decision> asked = new CopyOnWriteArrayList<>();
        Script script = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.toMyTurn());
            for (int refusal = 0; refusal <= again; refusal++) {
                stream.say(told.refused(stream.answer()));
            }
            Propose last = stream.answer();
            assertTrue(last.getProposal().getAction().hasCheck());
            stream.say(told.accepted(last), told.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            Played played = play(
                            server,
                            decision -> {
                                asked.add(decision);
                                return decision.raiseTo(15);
                            },
                            OPTIONS.withMaxRefusals(again),
                            "table")
                    .get(0);
            assertEquals(again + 1, asked.size());
            assertEquals(again + 1, played.refusals());
            assertEquals(1, played.defaults());
        }
    }

    // --- many tables ------------------------------------------------------------------------------------

    @Test
    void answersOfManyTablesThatAreReadyGoInOneMessage() throws Exception {
        List<Told> tables = List.of(new Told("one"), new Told("two"), new Told("three"));
        Script script = stream -> {
            PlayRequest first = stream.hear();
            assertEquals(3, first.getItemsCount());
            assertEquals(5, first.getMaxOpenDecisions());
            List<PlayResponseItem> items = new ArrayList<>();
            tables.forEach(table -> {
                items.add(table.snapshot());
                items.addAll(table.toMyTurn());
            });
            stream.say(items);
            PlayRequest answers = stream.hear();
            assertEquals(
                    List.of("one", "two", "three"),
                    answers.getItemsList().stream().map(PlayRequestItem::getTableId).toList());
            assertEquals(0, answers.getMaxOpenDecisions());
            tables.forEach(table -> stream.say(table.tableEnded()));
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            List<Played> played = play(
                    server, Decision::checkOrCall, OPTIONS.withMaxOpenDecisions(5), "one", "two", "three");
            assertEquals(List.of("one", "two", "three"), played.stream().map(Played::tableId).toList());
            assertTrue(played.stream().allMatch(each -> each.reason().equals("TABLE_ENDED")));
        }
    }

    @Test
    void oneTableOfSeveralIsAttachedAgainOnTheSameStream() throws Exception {
        Told one = new Told("one");
        Told other = new Told("other");
        Script script = stream -> {
            stream.hear();
            stream.say(one.snapshot(), other.snapshot());
            stream.say(one.begin());
            stream.say(one.end(StreamEndReason.STREAM_END_REASON_STORE_FAILED));
            List<PlayRequestItem> again = stream.hear().getItemsList();
            assertEquals(1, again.size());
            assertEquals("one", again.get(0).getTableId());
            assertEquals(one.count, again.get(0).getAttach().getCursor().getNumber());
            stream.say(one.snapshot(), one.tableEnded(), other.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            List<Played> played = play(server, Decision::checkOrCall, OPTIONS, "one", "other");
            assertEquals(List.of(1, 0), played.stream().map(Played::resumed).toList());
            assertEquals(1, server.streams.get());
        }
    }

    @Test
    void aSlowDecisionDoesNotHoldBackTheAnswersOfOthers() throws Exception {
        Told slow = new Told("slow");
        Told quick = new Told("quick");
        CountDownLatch go = new CountDownLatch(1);
        Script script = stream -> {
            stream.hear();
            stream.say(slow.snapshot(), quick.snapshot());
            stream.say(Told.all(slow.toMyTurn(), quick.toMyTurn()));
            List<PlayRequestItem> first = stream.hear().getItemsList();
            assertEquals("quick", first.get(0).getTableId());
            go.countDown();
            assertEquals("slow", stream.hear().getItems(0).getTableId());
            stream.say(slow.tableEnded(), quick.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            play(
                    server,
                    decision -> {
                        if (decision.tableId().equals("slow")) {
                            go.await();
                        }
                        return decision.checkOrCall();
                    },
                    OPTIONS.withBotThreads(2).withMaxOpenDecisions(2),
                    "slow",
                    "quick");
        }
    }

    @Test
    void anAnswerThatIsSentAgainDoesNotWaitForABotThatThinks() throws Exception {
        Told slow = new Told("slow");
        Told again = new Told("again");
        CountDownLatch go = new CountDownLatch(1);
        Script script = stream -> {
            stream.hear();
            stream.say(slow.snapshot(), again.snapshot());
            stream.say(again.toMyTurn());
            Propose first = stream.answer();
            stream.say(slow.toMyTurn());
            stream.say(again.end(StreamEndReason.STREAM_END_REASON_STORE_FAILED));
            assertTrue(stream.hear().getItems(0).hasAttach());
            stream.say(again.snapshot(), again.decision());
            assertEquals(first, stream.answer());
            go.countDown();
            assertEquals("slow", stream.hear().getItems(0).getTableId());
            stream.say(slow.tableEnded(), again.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            play(
                    server,
                    decision -> {
                        if (decision.tableId().equals("slow")) {
                            go.await();
                        }
                        return decision.checkOrCall();
                    },
                    OPTIONS.withMaxOpenDecisions(2),
                    "slow",
                    "again");
        }
    }

    @Test
    void twoSeatsOfOneTableNeedTwoSessions() {
        RefereeClient client = RefereeClient.of("127.0.0.1:1");
        List<Seat> seats = List.of(Seat.of("table", "one"), Seat.of("table", "other"));
        assertThrows(
                IllegalArgumentException.class, () -> client.session(Decision::checkOrCall, seats, OPTIONS));
    }

    // --- bots that take time, fail, or are stopped ------------------------------------------------------

    @Test
    void aBotThatThinksThroughALostConnectionIsNotAskedAgain() throws Exception {
        CountDownLatch answerNow = new CountDownLatch(1);
        List<Decision> asked = new CopyOnWriteArrayList<>();
        Script first = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.toMyTurn());
            await(() -> !asked.isEmpty());
            stream.cut(Status.UNAVAILABLE);
        };
        Script second = stream -> {
            stream.attached();
            stream.say(told.snapshot(), told.decision());
            answerNow.countDown();
            stream.say(told.accepted(stream.answer()), told.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(first, second)) {
            Played played = play(server, decision -> {
                asked.add(decision);
                answerNow.await();
                return decision.check();
            });
            assertEquals(1, asked.size());
            assertEquals(1, played.resumed());
        }
    }

    @Test
    void whatABotThrowsEndsThePlay() throws Exception {
        IllegalStateException broken = new IllegalStateException("a bug");
        Script script = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.toMyTurn());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            RuntimeException thrown = assertThrows(RuntimeException.class, () -> play(server, decision -> {
                throw broken;
            }));
            assertSame(broken, thrown);
            assertTrue(server.cancelled.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void cancellingTheFutureCancelsTheStreamAndInterruptsTheBot() throws Exception {
        CountDownLatch thinks = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Script script = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.toMyTurn());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            Bot thinking = decision -> {
                thinks.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException stopped) {
                    interrupted.countDown();
                }
                return decision.checkOrCall();
            };
            Session session = RefereeClient.of(server.target())
                    .session(thinking, List.of(Seat.of("table", "token")), OPTIONS);
            CompletableFuture<List<Played>> playing = session.start();
            assertTrue(thinks.await(10, TimeUnit.SECONDS));
            assertEquals(1, session.played().get(0).decisions());
            playing.cancel(true);
            assertTrue(interrupted.await(10, TimeUnit.SECONDS));
            assertTrue(server.cancelled.await(10, TimeUnit.SECONDS));
            assertEquals("", session.played().get(0).reason());
        }
    }

    @Test
    void aSeatLeavesAfterSoManyHands() throws Exception {
        Script script = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.begin());
            stream.say(told.buttonFolds());
            assertTrue(stream.hear().getItems(0).hasDetach());
            stream.closed();
            stream.end();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            Played played = play(server, Decision::checkOrCall, OPTIONS.withHands(1), "table").get(0);
            assertEquals("DETACHED", played.reason());
            assertEquals(1, played.hands());
            LeaveSeatRequest left = (LeaveSeatRequest) server.asked.get(0);
            assertEquals("token of table", left.getSeatToken());
            assertEquals(left, server.asked.get(1), "what was not answered is asked again under the same id");
        }
    }

    @Test
    void aHandThatIsOverMayBeShown() throws Exception {
        Script script = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.begin());
            stream.say(told.buttonFolds());
            assertTrue(stream.answer().getProposal().getAction().hasShow());
            stream.say(told.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            play(
                    server,
                    Decision::checkOrCall,
                    OPTIONS.withOnHandOver(view -> java.util.Optional.of(view.show())),
                    "table");
        }
    }

    // --- the program ------------------------------------------------------------------------------------

    @Test
    void theProgramPrintsALineForEachTable() throws Exception {
        Script script = stream -> {
            stream.attached();
            stream.say(told.snapshot());
            stream.say(told.toMyTurn());
            stream.say(told.accepted(stream.answer()), told.tableEnded());
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            Program program = new Program("--target", server.target(), "--seat", "table=token=with=signs");
            assertEquals(0, program.exitCode);
            assertEquals(
                    "{\"table\":\"table\",\"reason\":\"TABLE_ENDED\",\"hands\":0,\"decisions\":1,\"refusals\":0,"
                            + "\"resumed\":0,\"deals_checked\":0,\"deal_fault\":\"\"}\n",
                    program.out());
        }
    }

    @Test
    void theProgramSaysWhenATableDidNotEnd() throws Exception {
        Script script = stream -> {
            stream.attached();
            stream.say(told.snapshot(), told.end(StreamEndReason.STREAM_END_REASON_REPLACED));
            stream.closed();
        };
        try (ScriptedTables server = new ScriptedTables(script)) {
            Program program = new Program("--target", server.target(), "--seat", "table=token");
            assertEquals(1, program.exitCode);
            assertTrue(program.out().contains("\"reason\":\"REPLACED\""));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "--seat", "--seat table", "--seat table=", "--unknown 1", "--table t --seat t=x",
                "--seat t=x --hands -1", "--seat t=x --max-open 0", "--seat t=x --bot nobody",
                "--seat t=x --tls-ca missing.pem"
            })
    void aCommandLineThatMakesNoSenseIsSaid(String line) {
        Program program = new Program(line.isEmpty() ? new String[0] : line.split(" "));
        assertEquals(2, program.exitCode);
        assertFalse(program.err().isEmpty());
        assertEquals("", program.out());
    }

    /** A run of the program in this process. */
    private static final class Program {
        private final java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        private final java.io.ByteArrayOutputStream err = new java.io.ByteArrayOutputStream();
        final int exitCode;

        Program(String... args) {
            exitCode = BotProgram.run(
                    args,
                    Map.of("plain", Decision::checkOrCall),
                    "plain",
                    new java.io.PrintStream(out, true),
                    new java.io.PrintStream(err, true));
        }

        String out() {
            return out.toString();
        }

        String err() {
            return err.toString();
        }
    }
}
