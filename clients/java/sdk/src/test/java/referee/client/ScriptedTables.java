package referee.client;

import io.grpc.Server;
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
import java.util.concurrent.atomic.AtomicInteger;
import referee.v1.Table.Attach;
import referee.v1.Table.LeaveSeatRequest;
import referee.v1.Table.LeaveSeatResponse;
import referee.v1.Table.PlayRequest;
import referee.v1.Table.PlayRequestItem;
import referee.v1.Table.PlayResponse;
import referee.v1.Table.PlayResponseItem;
import referee.v1.Table.Propose;
import referee.v1.Table.RevealSeedRequest;
import referee.v1.Table.RevealSeedResponse;

/** A server on loopback that says what a test wants it to say, one script for each stream, and keeps what it hears. */
final class ScriptedTables implements AutoCloseable {
    private static final int PATIENCE_S = 20;

    /** What the server does with one stream. */
    interface Script {
        void play(Stream stream) throws Exception;
    }

    final AtomicInteger streams = new AtomicInteger();
    final List<LeaveSeatRequest> left = new CopyOnWriteArrayList<>();
    final List<RevealSeedRequest> revealed = new CopyOnWriteArrayList<>();
    final CountDownLatch cancelled = new CountDownLatch(1);
    private final Queue<Script> scripts;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Server server;

    ScriptedTables(Script... scripts) throws IOException {
        this.scripts = new ArrayDeque<>(List.of(scripts));
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(ServerServiceDefinition.builder("referee.v1.TableService")
                        .addMethod(Rpc.PLAY, ServerCalls.asyncBidiStreamingCall(this::play))
                        .addMethod(Rpc.LEAVE_SEAT, ServerCalls.asyncUnaryCall((request, answer) -> {
                            left.add(request);
                            answer.onNext(LeaveSeatResponse.getDefaultInstance());
                            answer.onCompleted();
                        }))
                        .addMethod(Rpc.REVEAL_SEED, ServerCalls.asyncUnaryCall((request, answer) -> {
                            revealed.add(request);
                            answer.onNext(RevealSeedResponse.getDefaultInstance());
                            answer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
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
