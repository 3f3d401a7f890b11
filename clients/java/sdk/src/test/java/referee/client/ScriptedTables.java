package referee.client;

import com.google.protobuf.Message;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import referee.v1.Table.Attach;
import referee.v1.Table.CommitSeedResponse;
import referee.v1.Table.GetTableResponse;
import referee.v1.Table.LeaveSeatResponse;
import referee.v1.Table.PlayRequest;
import referee.v1.Table.PlayRequestItem;
import referee.v1.Table.PlayResponse;
import referee.v1.Table.PlayResponseItem;
import referee.v1.Table.Propose;
import referee.v1.Table.RevealSeedResponse;
import referee.v1.Table.SitInResponse;
import referee.v1.Table.SitOutResponse;
import referee.v1.Table.TableState;
import referee.v1.Table.TakeSeatResponse;
import referee.v1.Table.TopUpResponse;

/** A server on loopback that says what a test wants it to say, one script for each stream, and keeps what it hears. */
final class ScriptedTables implements AutoCloseable {
    private static final int PATIENCE_S = 20;

    /** What the server does with one stream. */
    interface Script {
        void play(Stream stream) throws Exception;
    }

    final AtomicInteger streams = new AtomicInteger();
    /** The requests of all other calls, in the order in which they came. */
    final List<Message> asked = new CopyOnWriteArrayList<>();

    final CountDownLatch cancelled = new CountDownLatch(1);
    private final Queue<Script> scripts;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Server server;

    ScriptedTables(Script... scripts) throws IOException {
        this(TableState.getDefaultInstance(), scripts);
    }

    /** With what it says of the table. */
    ScriptedTables(TableState table, Script... scripts) throws IOException {
        this.scripts = new ArrayDeque<>(List.of(scripts));
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(ServerServiceDefinition.builder("referee.v1.TableService")
                        .addMethod(Rpc.PLAY, ServerCalls.asyncBidiStreamingCall(this::play))
                        .addMethod(Rpc.GET_TABLE, answering(GetTableResponse.newBuilder().setTable(table).build()))
                        .addMethod(
                                Rpc.TAKE_SEAT,
                                answering(TakeSeatResponse.newBuilder().setSeat(4).setSeatToken("token").build()))
                        .addMethod(Rpc.COMMIT_SEED, answering(CommitSeedResponse.getDefaultInstance()))
                        .addMethod(Rpc.REVEAL_SEED, answering(RevealSeedResponse.getDefaultInstance()))
                        .addMethod(Rpc.LEAVE_SEAT, answering(LeaveSeatResponse.getDefaultInstance()))
                        .addMethod(Rpc.SIT_OUT, answering(SitOutResponse.getDefaultInstance()))
                        .addMethod(Rpc.SIT_IN, answering(SitInResponse.getDefaultInstance()))
                        .addMethod(Rpc.TOP_UP, answering(TopUpResponse.getDefaultInstance()))
                        .build())
                .build()
                .start();
    }

    /** Keeps the request, and gives this answer; the first time to each, that it is not there. */
    private <Q extends Message, R> ServerCallHandler<Q, R> answering(R answer) {
        AtomicBoolean isThere = new AtomicBoolean();
        return ServerCalls.asyncUnaryCall((request, answers) -> {
            asked.add(request);
            if (isThere.compareAndSet(false, true)) {
                answers.onError(Status.UNAVAILABLE.asRuntimeException());
            } else {
                answers.onNext(answer);
                answers.onCompleted();
            }
        });
    }

    String target() {
        return "127.0.0.1:" + server.getPort();
    }

    private StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> responses) {
        streams.incrementAndGet();
        Stream stream = new Stream((ServerCallStreamObserver<PlayResponse>) responses);
        Script script;
        synchronized (scripts) {
            script = scripts.poll();
        }
        Thread thread = new Thread(() -> {
            try {
                if (script == null) {
                    throw new AssertionError("the client opened more streams than there are scripts");
                }
                script.play(stream);
                stream.end();
            } catch (Throwable failure) {
                failures.add(failure);
                stream.cut(Status.INTERNAL);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return stream;
    }

    @Override
    public void close() throws InterruptedException {
        server.shutdownNow();
        server.awaitTermination(PATIENCE_S, TimeUnit.SECONDS);
        if (!failures.isEmpty()) {
            throw new AssertionError("a script failed", failures.get(0));
        }
    }

    /** One call of the client, from the server's side. */
    final class Stream implements StreamObserver<PlayRequest> {
        private final ServerCallStreamObserver<PlayResponse> responses;
        private final BlockingQueue<PlayRequest> heard = new LinkedBlockingQueue<>();
        private final CountDownLatch closed = new CountDownLatch(1);

        Stream(ServerCallStreamObserver<PlayResponse> responses) {
            this.responses = responses;
            responses.setOnCancelHandler(() -> {
                cancelled.countDown();
                closed.countDown();
            });
        }

        @Override
        public void onNext(PlayRequest request) {
            heard.add(request);
        }

        @Override
        public void onError(Throwable error) {
            closed.countDown();
        }

        @Override
        public void onCompleted() {
            closed.countDown();
        }

        void say(List<PlayResponseItem> items) {
            responses.onNext(PlayResponse.newBuilder().addAllItems(items).build());
        }

        void say(PlayResponseItem... items) {
            say(List.of(items));
        }

        /** The client's next message. */
        PlayRequest hear() throws InterruptedException {
            PlayRequest request = heard.poll(PATIENCE_S, TimeUnit.SECONDS);
            if (request == null) {
                throw new AssertionError("the client said nothing for " + PATIENCE_S + " s");
            }
            return request;
        }

        /** The client's first message, which attaches one table. */
        Attach attached() throws InterruptedException {
            List<PlayRequestItem> items = hear().getItemsList();
            if (items.size() != 1 || !items.get(0).hasAttach()) {
                throw new AssertionError("not one attach: " + items);
            }
            return items.get(0).getAttach();
        }

        /** The one proposal of the client's next message. */
        Propose answer() throws InterruptedException {
            List<PlayRequestItem> items = hear().getItemsList();
            if (items.size() != 1 || !items.get(0).hasPropose()) {
                throw new AssertionError("not one proposal: " + items);
            }
            return items.get(0).getPropose();
        }

        /** Waits until the client has no more to say. */
        void closed() throws InterruptedException {
            if (!closed.await(PATIENCE_S, TimeUnit.SECONDS)) {
                throw new AssertionError("the client did not close the stream");
            }
        }

        /** Ends the stream without saying why. */
        void end() {
            try {
                responses.onCompleted();
            } catch (IllegalStateException over) {
                // the stream is closed already
            }
        }

        void cut(Status status) {
            try {
                responses.onError(status.asRuntimeException());
            } catch (IllegalStateException over) {
                // the stream is closed already
            }
        }
    }
}
