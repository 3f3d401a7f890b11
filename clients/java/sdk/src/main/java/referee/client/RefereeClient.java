package referee.client;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import referee.client.deals.DealException;
import referee.client.deals.MatchSeeds;
import referee.v1.Log.GetCheckpointRequest;
import referee.v1.Log.GetCheckpointResponse;
import referee.v1.Log.GetConsistencyProofRequest;
import referee.v1.Log.GetConsistencyProofResponse;
import referee.v1.Log.GetInclusionProofRequest;
import referee.v1.Log.GetInclusionProofResponse;
import referee.v1.Table.CloseTableRequest;
import referee.v1.Table.CommitSeedRequest;
import referee.v1.Table.CreateTableRequest;
import referee.v1.Table.CreateTableResponse;
import referee.v1.Table.GetTableRequest;
import referee.v1.Table.LeaveSeatRequest;
import referee.v1.Table.RevealSeedRequest;
import referee.v1.Table.SitInRequest;
import referee.v1.Table.SitOutRequest;
import referee.v1.Table.TableConfig;
import referee.v1.Table.TableState;
import referee.v1.Table.TakeSeatRequest;
import referee.v1.Table.TakeSeatResponse;
import referee.v1.Table.TopUpRequest;

/**
 * Calls to a server: open a table, take a seat, play.
 *
 * <p>Each call has a deadline, carries a request id of its own and is sent again under it while the server is out of
 * reach, so that nothing is done twice. What the server will not do throws {@link StatusRuntimeException}; a server
 * that stays away, {@link ConnectionLostException}; an interrupted thread, {@link InterruptedException}.
 */
public final class RefereeClient {
    private static final int CALL_S = 30;
    private static final int REQUEST_ID_BYTES = 16;
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Server server;
    private final Backoff backoff;

    private RefereeClient(Server server, Backoff backoff) {
        this.server = server;
        this.backoff = backoff;
    }

    /** A client of the server at {@code HOST:PORT}, without TLS. */
    public static RefereeClient of(String target) {
        return of(Server.plain(target));
    }

    /** A client of a server. */
    public static RefereeClient of(Server server) {
        return new RefereeClient(server, Backoff.USUAL);
    }

    /** The same with another way of trying again. */
    public RefereeClient withBackoff(Backoff some) {
        return new RefereeClient(server, some);
    }

    // --- playing ----------------------------------------------------------------------------------------

    /** Plays one or many tables over one stream until each has ended, and says how it went; see {@link Session}. */
    public List<Played> play(Bot bot, List<Seat> seats, PlayOptions options) throws InterruptedException {
        try (Session session = session(bot, seats, options)) {
            return session.run();
        }
    }

    /** Plays one table until it has ended. */
    public Played play(Bot bot, Seat seat) throws InterruptedException {
        return play(bot, List.of(seat), PlayOptions.USUAL).get(0);
    }

    /** A session that can be started, watched and stopped. */
    public Session session(Bot bot, List<Seat> seats, PlayOptions options) {
        return new Session(server, this, bot, seats, options);
    }

    // --- seats ------------------------------------------------------------------------------------------

    /** Takes the first free seat, with a seed drawn here; see {@link #takeSeat(String, String, int, ByteString, boolean)}. */
    public Seat takeSeat(String tableId, String name) throws InterruptedException {
        byte[] seed = new byte[MatchSeeds.SEED_BYTES];
        RANDOM.nextBytes(seed);
        return takeSeat(tableId, name, 0, ByteString.copyFrom(seed), false);
    }

    /**
     * Takes a seat, the first free one for {@code seat} 0. Its token is told this once; keep it to come back.
     *
     * <p>Before the first hand the seat also commits to a seed of 32 bytes (referee-deal/1), so that nobody else can
     * have chosen the cards; an empty one commits to none. Playing reveals it in time. Later the seat waits for the big
     * blind, unless it {@code posts}: then it comes in as soon as it may (SEAT-2).
     */
    public Seat takeSeat(String tableId, String name, int seat, ByteString seed, boolean posts)
            throws InterruptedException {
        TableState state = table(tableId);
        boolean commits = !seed.isEmpty() && state.getHand() == 0;
        TakeSeatRequest request = TakeSeatRequest.newBuilder()
                .setRequestId(requestId())
                .setTableId(tableId)
                .setSeat(seat)
                .setName(name)
                .setCommitsSeed(commits)
                .setPosts(posts)
                .build();
        TakeSeatResponse taken = call("", Rpc.TAKE_SEAT, request);
        Seat mine = new Seat(
                tableId, taken.getSeatToken(), taken.getSeat(), state.getHand(), commits ? seed : ByteString.EMPTY);
        return commits && !commit(mine, state) ? mine.withoutSeed() : mine;
    }

    /** Commits a seat to its seed; false when it is too late for that. */
    private boolean commit(Seat seat, TableState state) throws InterruptedException {
        ByteString commitment;
        try {
            commitment = MatchSeeds.commitSeat(
                    state.getMatchName(), seat.number(), seat.seed(), state.getDealCommitment());
        } catch (DealException error) {
            throw new BrokenStreamException(seat.tableId() + ": " + error.getMessage(), error);
        }
        CommitSeedRequest request = CommitSeedRequest.newBuilder()
                .setTableId(seat.tableId())
                .setSeatToken(seat.token())
                .setCommitment(commitment)
                .build();
        return unlessRefused(Rpc.COMMIT_SEED, request);
    }

    /** Reveals a seat's seed; nothing happens when the table does not wait for it any more. */
    void revealSeed(Seat seat) throws InterruptedException {
        RevealSeedRequest request = RevealSeedRequest.newBuilder()
                .setTableId(seat.tableId())
                .setSeatToken(seat.token())
                .setSeed(seat.seed())
                .build();
        unlessRefused(Rpc.REVEAL_SEED, request);
    }

    /** Leaves a seat after the hand under way; until then its decisions are answered as if out of time. */
    public void leaveSeat(Seat seat) throws InterruptedException {
        LeaveSeatRequest request = leaving(seat);
        call("", Rpc.LEAVE_SEAT, request);
    }

    /** Leaves a seat unless it or its table is gone already, such as by an attempt whose answer was lost. */
    void leaveIfSeated(Seat seat) throws InterruptedException {
        LeaveSeatRequest request = leaving(seat);
        unlessRefused(Rpc.LEAVE_SEAT, request);
    }

    /** Keeps the seat and is dealt in no more, from the next hand on; blinds that pass it are owed (SEAT-3, SEAT-5). */
    public void sitOut(Seat seat) throws InterruptedException {
        SitOutRequest request = SitOutRequest.newBuilder()
                .setRequestId(requestId())
                .setTableId(seat.tableId())
                .setSeatToken(seat.token())
                .build();
        call("", Rpc.SIT_OUT, request);
    }

    /**
     * Plays again. Where the seat owes blinds or is new it waits for the big blind, or {@code posts} as soon as it may
     * (SEAT-2, SEAT-3).
     */
    public void sitIn(Seat seat, boolean posts) throws InterruptedException {
        SitInRequest request = SitInRequest.newBuilder()
                .setRequestId(requestId())
                .setTableId(seat.tableId())
                .setSeatToken(seat.token())
                .setPosts(posts)
                .build();
        call("", Rpc.SIT_IN, request);
    }

    /** Has the stack filled up to so many chips before the next hand, if it then has fewer; 0 takes that back. */
    public void topUp(Seat seat, long to) throws InterruptedException {
        TopUpRequest request = TopUpRequest.newBuilder()
                .setRequestId(requestId())
                .setTableId(seat.tableId())
                .setSeatToken(seat.token())
                .setTo(to)
                .build();
        call("", Rpc.TOP_UP, request);
    }

    private static LeaveSeatRequest leaving(Seat seat) {
        return LeaveSeatRequest.newBuilder()
                .setRequestId(requestId())
                .setTableId(seat.tableId())
                .setSeatToken(seat.token())
                .build();
    }

    // --- tables -----------------------------------------------------------------------------------------

    /** Opens a table and returns its id; throws RuleSetException when the rules do not allow such a table. */
    public String createTable(TableConfig config, String hostToken) throws InterruptedException {
        CreateTableRequest request = CreateTableRequest.newBuilder()
                .setRequestId(requestId())
                .setConfig(config)
                .build();
        CreateTableResponse response = call(hostToken, Rpc.CREATE_TABLE, request);
        if (response.hasRefused()) {
            throw new RuleSetException(response.getRefused().getRule(), response.getRefused().getMessage());
        }
        return response.getTableId();
    }

    /** Ends a table after the hand under way. */
    public void closeTable(String tableId, String hostToken) throws InterruptedException {
        CloseTableRequest request = CloseTableRequest.newBuilder()
                .setRequestId(requestId())
                .setTableId(tableId)
                .build();
        call(hostToken, Rpc.CLOSE_TABLE, request);
    }

    /** How a table stands, as anybody may see it. */
    public TableState table(String tableId) throws InterruptedException {
        GetTableRequest request = GetTableRequest.newBuilder().setTableId(tableId).build();
        return call("", Rpc.GET_TABLE, request).getTable();
    }

    // --- the log of records -----------------------------------------------------------------------------

    /** The newest signed head of the log of records; {@code referee.client.log} verifies it. */
    public GetCheckpointResponse checkpoint() throws InterruptedException {
        return call("", Rpc.GET_CHECKPOINT, GetCheckpointRequest.getDefaultInstance());
    }

    /** The proof that the log of {@code size} records, 0 for the newest, goes on from that of {@code oldSize}. */
    public GetConsistencyProofResponse consistencyProof(long oldSize, long size) throws InterruptedException {
        GetConsistencyProofRequest request = GetConsistencyProofRequest.newBuilder()
                .setOldSize(oldSize)
                .setSize(size)
                .build();
        return call("", Rpc.GET_CONSISTENCY_PROOF, request);
    }

    /** The proof that a piece of a table's record (hand h is piece h) is in the log of {@code size} records. */
    public GetInclusionProofResponse inclusionProof(String tableId, long piece, long size)
            throws InterruptedException {
        GetInclusionProofRequest request = GetInclusionProofRequest.newBuilder()
                .setTableId(tableId)
                .setPiece(piece)
                .setSize(size)
                .build();
        return call("", Rpc.GET_INCLUSION_PROOF, request);
    }

    // --- one call ---------------------------------------------------------------------------------------

    /** Makes a call, and says false when the table does not allow it any more or does not know the seat any more. */
    private <Q, R> boolean unlessRefused(MethodDescriptor<Q, R> method, Q request) throws InterruptedException {
        try {
            call("", method, request);
            return true;
        } catch (StatusRuntimeException error) {
            Status.Code code = error.getStatus().getCode();
            if (code == Status.Code.FAILED_PRECONDITION || code == Status.Code.PERMISSION_DENIED) {
                return false;
            }
            throw error;
        }
    }

    private <Q, R> R call(String token, MethodDescriptor<Q, R> method, Q request) throws InterruptedException {
        Retry retry = new Retry(backoff);
        while (true) {
            ManagedChannel channel = server.channel();
            try {
                Channel bearing = token.isEmpty() ? channel : bearing(channel, token);
                CallOptions limited = CallOptions.DEFAULT.withDeadlineAfter(CALL_S, TimeUnit.SECONDS);
                return ClientCalls.blockingUnaryCall(bearing, method, limited, request);
            } catch (StatusRuntimeException error) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted in a call");
                }
                if (!Retry.mayHelp(error)) {
                    throw error;
                }
                Thread.sleep(retry.afterFailure(error, false, false));
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static Channel bearing(Channel channel, String token) {
        Metadata shown = new Metadata();
        shown.put(AUTHORIZATION, "Bearer " + token);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(shown));
    }

    private static String requestId() {
        return RequestIds.unguessable(REQUEST_ID_BYTES);
    }
}
