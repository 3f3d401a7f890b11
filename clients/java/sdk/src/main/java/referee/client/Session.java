package referee.client;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import referee.v1.Table.PlayRequest;
import referee.v1.Table.PlayRequestItem;
import referee.v1.Table.PlayResponse;
import referee.v1.Table.PlayResponseItem;
import referee.v1.Table.StreamEndReason;

/**
 * Plays one seat at each of one or many tables over one stream, until every table has ended or the session is closed.
 *
 * <p>A lost stream is resumed after a wait from the last event that was seen; an answer that was not acknowledged is
 * sent again under its request id. A stream that ends without saying so is lost, never the end of the game.
 *
 * <p>One thread owns everything here; the stream's messages, the bot's answers and timers are handed to it. Closing the
 * session, or cancelling what {@link #start} returned, cancels the stream and interrupts the bot; the seats stay taken.
 */
public final class Session implements AutoCloseable {
    private static final int ITEMS_IN_A_MESSAGE = 1024;

    /** How long a stream that has ended may take to close. */
    private static final long CLOSING_MS = 1_000;

    /** How long an answer waits at most for others to go with it in one message. */
    private static final long TOGETHER_MS = 20;

    private final Server server;
    private final RefereeClient client;
    private final Bot bot;
    private final PlayOptions options;
    private final Map<String, Follower> followers = new LinkedHashMap<>();
    private final Retry retry;
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor(named("referee-session"));
    private final Time time;
    private final ExecutorService thinking;
    private final ExecutorService calling = Executors.newCachedThreadPool(named("referee-call"));
    private final CompletableFuture<List<Played>> result = new CompletableFuture<>();
    private final AtomicBoolean started = new AtomicBoolean();

    /** Held by the loop's thread at work, and by whoever asks how it stands. */
    private final Object turn = new Object();

    // Of the loop's thread alone:
    private final List<PlayRequestItem> outbox = new ArrayList<>();
    private final Set<String> interrupted = new HashSet<>();
    private final Set<String> leaving = new HashSet<>();
    private Connection connection;
    private int beingAsked;
    private boolean flushIsDue;
    private boolean done;

    Session(Server server, RefereeClient client, Bot bot, List<Seat> seats, PlayOptions options) {
        this(server, client, bot, seats, options, null);
    }

    /** With a time of one's own; null for the machine's. */
    Session(Server server, RefereeClient client, Bot bot, List<Seat> seats, PlayOptions options, Time time) {
        this.time = time == null ? new MachineTime() : time;
        this.server = server;
        this.client = client;
        this.bot = Objects.requireNonNull(bot);
        this.options = options;
        retry = new Retry(options.backoff());
        thinking = Executors.newFixedThreadPool(options.botThreads(), named("referee-bot"));
        RequestIds requestIds = new RequestIds();
        for (Seat seat : seats) {
            Follower follower = new Follower(seat, options, this.time::nanos, requestIds);
            if (followers.put(seat.tableId(), follower) != null) {
                throw new IllegalArgumentException(
                        "one stream plays one seat of a table; use a session for each seat");
            }
        }
    }

    /** The clock that only goes forward, and what is to be done later. */
    interface Time {
        /** Nanoseconds since some moment. */
        long nanos();

        /** Does work after so many milliseconds, on any thread. */
        void after(long ms, Runnable work);
    }

    private final class MachineTime implements Time {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void after(long ms, Runnable work) {
            loop.schedule(work, ms, TimeUnit.MILLISECONDS);
        }
    }

    private static ThreadFactory named(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    // --- from outside -----------------------------------------------------------------------------------

    /**
     * Begins to play. The future says how it went, in the order of the seats; cancelling it closes the session.
     *
     * <p>It fails with what the bot threw; {@link ConnectionLostException} when the server stays away;
     * {@link BrokenStreamException} when it does not keep to the contract; the gRPC error of a call that would not go
     * better later; {@link RuleSetException} for rules that this version does not have.
     */
    public CompletableFuture<List<Played>> start() {
        if (started.compareAndSet(false, true)) {
            result.whenComplete((played, error) -> {
                if (error instanceof CancellationException) {
                    close();
                }
            });
            inLoop(this::connect);
        }
        return result;
    }

    /** Plays to the end; see {@link #start}. An interrupted thread closes the session. */
    public List<Played> run() throws InterruptedException {
        try {
            return start().get();
        } catch (ExecutionException error) {
            if (error.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (error.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(error.getCause());
        } finally {
            close();
        }
    }

    /** What came of each seat, also when the session failed; how it stands while it goes on. */
    public List<Played> played() {
        synchronized (turn) {
            return followers.values().stream().map(Follower::played).toList();
        }
    }

    /** Stops playing: cancels the stream and interrupts the bot. */
    @Override
    public void close() {
        inLoop(() -> finish(null));
    }

    // --- the loop ---------------------------------------------------------------------------------------

    private interface Work {
        void run() throws StreamLostException;
    }

    /** Hands work to the loop's thread; after the end there is nothing to do. */
    private void inLoop(Work work) {
        try {
            loop.execute(() -> inTurn(work));
        } catch (RejectedExecutionException over) {
            // the session has ended
        }
    }

    private void inLoopAfter(long ms, Work work) {
        time.after(ms, () -> inLoop(work));
    }

    private void inTurn(Work work) {
        synchronized (turn) {
            if (done) {
                return;
            }
            try {
                work.run();
            } catch (StreamLostException lost) {
                lost(lost);
            } catch (RuntimeException | Error error) {
                finish(error);
            }
        }
    }

    private void finish(Throwable error) {
        if (done) {
            return;
        }
        done = true;
        leaveConnection();
        loop.shutdownNow();
        thinking.shutdownNow();
        calling.shutdownNow();
        if (error == null) {
            result.complete(played());
        } else {
            result.completeExceptionally(error);
        }
    }

    private List<Follower> playing() {
        return followers.values().stream().filter(follower -> !follower.over()).toList();
    }

    // --- one connection ---------------------------------------------------------------------------------

    /** One stream, from its beginning to its end. Its messages come on gRPC's thread and are handed to the loop. */
    private final class Connection implements ClientResponseObserver<PlayRequest, PlayResponse> {
        final ManagedChannel channel = server.channel();
        final int snapshotsBefore = snapshots();
        final long eventsBefore = events();
        ClientCallStreamObserver<PlayRequest> requests;
        boolean closing;
        private volatile long lastHeardNanos = time.nanos();

        void open() {
            ClientCalls.asyncBidiStreamingCall(channel.newCall(Rpc.PLAY, CallOptions.DEFAULT), this);
            inLoopAfter(options.silence().toMillis(), this::listen);
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<PlayRequest> stream) {
            requests = stream;
            stream.disableAutoRequestWithInitial(1); // the next one when this one is dealt with
        }

        @Override
        public void onNext(PlayResponse response) {
            lastHeardNanos = time.nanos();
            inLoop(() -> {
                if (connection == this) {
                    take(response);
                    requests.request(1);
                }
            });
        }

        @Override
        public void onError(Throwable error) {
            inLoop(() -> ended(error));
        }

        @Override
        public void onCompleted() {
            inLoop(() -> ended(null));
        }

        private void ended(Throwable error) {
            if (connection != this) {
                return;
            }
            if (error != null && !closing && !Retry.mayHelp(error)) {
                finish(error);
            } else {
                lost(error);
            }
        }

        /** Leaves a stream on which nothing was heard for too long. */
        private void listen() throws StreamLostException {
            if (connection != this) {
                return;
            }
            long quietMs = TimeUnit.NANOSECONDS.toMillis(time.nanos() - lastHeardNanos);
            long leftMs = options.silence().toMillis() - quietMs;
            if (leftMs <= 0) {
                throw new StreamLostException("nothing was heard for " + quietMs + " ms");
            }
            inLoopAfter(leftMs, this::listen);
        }

        void cancel() {
            requests.cancel("left", null);
            channel.shutdownNow();
        }
    }

    private int snapshots() {
        return followers.values().stream().mapToInt(Follower::snapshots).sum();
    }

    private long events() {
        return followers.values().stream().mapToLong(Follower::events).sum();
    }

    private void connect() {
        List<Follower> playing = playing();
        if (playing.isEmpty()) {
            finish(null);
            return;
        }
        outbox.clear();
        interrupted.clear();
        connection = new Connection();
        connection.open();
        playing.forEach(follower -> outbox.add(follower.attach()));
        flush(options.maxOpenDecisions());
    }

    private void leaveConnection() {
        if (connection != null) {
            connection.cancel();
            connection = null;
        }
    }

    /** A stream has ended or is left: comes back after a while, unless nothing is left to play. */
    private void lost(Throwable error) {
        Connection left = connection;
        leaveConnection();
        if (playing().isEmpty()) {
            finish(null);
            return;
        }
        boolean heard = left != null && snapshots() > left.snapshotsBefore;
        boolean moved = left != null && events() > left.eventsBefore;
        try {
            inLoopAfter(retry.afterFailure(error, heard, moved), this::connect);
        } catch (ConnectionLostException givenUp) {
            finish(givenUp);
        }
    }

    /** Lets a stream that has nothing more to say close by itself, which leaves less behind than a cancellation. */
    private void closeGently() {
        Connection ending = connection;
        if (ending == null || ending.closing) {
            return;
        }
        ending.closing = true;
        ending.requests.onCompleted();
        inLoopAfter(CLOSING_MS, () -> {
            if (connection == ending) {
                lost(null);
            }
        });
    }

    private void take(PlayResponse response) throws StreamLostException {
        for (PlayResponseItem item : response.getItemsList()) {
            for (Follower follower : concerned(item)) {
                for (Outcome outcome : follower.receive(item)) {
                    act(follower, outcome);
                }
                if (options.hands() > 0 && follower.hands() >= options.hands()) {
                    leave(follower);
                }
            }
        }
        if (playing().isEmpty()) {
            closeGently();
        } else if (playing().stream().allMatch(follower -> interrupted.contains(follower.tableId()))) {
            lost(null); // nothing more comes on this stream
        } else {
            flushSoon();
        }
    }

    /** The tables that an item is about: without a table's id the whole stream, of which only an end matters. */
    private List<Follower> concerned(PlayResponseItem item) {
        if (item.getTableId().isEmpty()) {
            return item.hasEnd() ? playing() : List.of();
        }
        Follower follower = followers.get(item.getTableId());
        boolean listens = follower != null && !follower.over() && !interrupted.contains(item.getTableId());
        return listens ? List.of(follower) : List.of();
    }

    private void act(Follower follower, Outcome outcome) {
        if (outcome instanceof Outcome.Ask ask) {
            ask(follower, ask.decision());
        } else if (outcome instanceof Outcome.Send send) {
            outbox.add(follower.proposing(send.propose()));
        } else if (outcome instanceof Outcome.Reveal) {
            call(() -> client.revealSeed(follower.seat()), () -> {});
        } else if (outcome instanceof Outcome.Interrupted) {
            interrupted.add(follower.tableId());
            Connection now = connection;
            inLoopAfter(retry.pause(), () -> attachAgain(follower, now));
        }
    }

    /** Attaches one table again on a stream that goes on for others. */
    private void attachAgain(Follower follower, Connection then) {
        if (connection == then && then != null && interrupted.remove(follower.tableId())) {
            outbox.add(follower.attach());
            flush(0);
        }
    }

    /** Sends all that is ready, in as few messages as may be. Nothing is lost with a connection: it is resumed. */
    private void flush(int maxOpenDecisions) {
        if (connection == null || connection.closing) {
            outbox.clear();
            return;
        }
        for (int from = 0; from < outbox.size(); from += ITEMS_IN_A_MESSAGE) {
            int to = Math.min(outbox.size(), from + ITEMS_IN_A_MESSAGE);
            connection.requests.onNext(PlayRequest.newBuilder()
                    .addAllItems(outbox.subList(from, to))
                    .setMaxOpenDecisions(maxOpenDecisions)
                    .build());
        }
        outbox.clear();
    }

    // --- asking the bot ---------------------------------------------------------------------------------

    private void ask(Follower follower, Decision decision) {
        if (leaving.contains(follower.tableId())) {
            return;
        }
        beingAsked++;
        thinking.execute(() -> {
            try {
                Proposal proposal = bot.decide(decision);
                if (proposal == null) {
                    throw new IllegalStateException(
                            "a bot answers with a proposal, such as decision.checkOrCall(), not with null");
                }
                inLoop(() -> answered(follower, decision, proposal));
            } catch (Throwable error) {
                inLoop(() -> finish(error));
            }
        });
    }

    private void answered(Follower follower, Decision decision, Proposal proposal) {
        beingAsked--;
        follower.answer(decision, proposal).map(follower::proposing).ifPresent(outbox::add);
        flushSoon();
    }

    /** Sends what is ready, at once when the bot has answered all, else with what it answers in the next moment. */
    private void flushSoon() {
        if (beingAsked == 0) {
            flush(0);
        } else if (!outbox.isEmpty() && !flushIsDue) {
            flushIsDue = true;
            inLoopAfter(TOGETHER_MS, () -> {
                flushIsDue = false;
                flush(0);
            });
        }
    }

    // --- calls beside the stream ------------------------------------------------------------------------

    private interface Call {
        void make() throws InterruptedException;
    }

    private void call(Call call, Work then) {
        calling.execute(() -> {
            try {
                call.make();
                inLoop(then);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException error) {
                inLoop(() -> finish(error));
            }
        });
    }

    private void leave(Follower follower) {
        if (!follower.over() && leaving.add(follower.tableId())) {
            call(() -> client.leaveIfSeated(follower.seat()), () -> {
                if (follower.over()) {
                    return;
                }
                follower.end(StreamEndReason.STREAM_END_REASON_DETACHED);
                outbox.add(follower.detach());
                flush(0);
                if (playing().isEmpty()) {
                    if (connection == null) {
                        finish(null);
                    } else {
                        closeGently();
                    }
                }
            });
        }
    }
}
