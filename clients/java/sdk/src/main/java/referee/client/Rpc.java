package referee.client;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;
import referee.v1.Log;
import referee.v1.Table;

/**
 * Methods of the contract's services, made from the services' own descriptors, so that the build needs no generator
 * besides protoc. {@code io.grpc.stub.ClientCalls} calls them.
 */
final class Rpc {
    static final MethodDescriptor<Table.PlayRequest, Table.PlayResponse> PLAY = ofTables(
            "Play", Table.PlayRequest.getDefaultInstance(), Table.PlayResponse.getDefaultInstance());
    static final MethodDescriptor<Table.CreateTableRequest, Table.CreateTableResponse> CREATE_TABLE = ofTables(
            "CreateTable",
            Table.CreateTableRequest.getDefaultInstance(),
            Table.CreateTableResponse.getDefaultInstance());
    static final MethodDescriptor<Table.CloseTableRequest, Table.CloseTableResponse> CLOSE_TABLE = ofTables(
            "CloseTable", Table.CloseTableRequest.getDefaultInstance(), Table.CloseTableResponse.getDefaultInstance());
    static final MethodDescriptor<Table.GetTableRequest, Table.GetTableResponse> GET_TABLE = ofTables(
            "GetTable", Table.GetTableRequest.getDefaultInstance(), Table.GetTableResponse.getDefaultInstance());
    static final MethodDescriptor<Table.TakeSeatRequest, Table.TakeSeatResponse> TAKE_SEAT = ofTables(
            "TakeSeat", Table.TakeSeatRequest.getDefaultInstance(), Table.TakeSeatResponse.getDefaultInstance());
    static final MethodDescriptor<Table.LeaveSeatRequest, Table.LeaveSeatResponse> LEAVE_SEAT = ofTables(
            "LeaveSeat", Table.LeaveSeatRequest.getDefaultInstance(), Table.LeaveSeatResponse.getDefaultInstance());
    static final MethodDescriptor<Table.CommitSeedRequest, Table.CommitSeedResponse> COMMIT_SEED = ofTables(
            "CommitSeed", Table.CommitSeedRequest.getDefaultInstance(), Table.CommitSeedResponse.getDefaultInstance());
    static final MethodDescriptor<Table.RevealSeedRequest, Table.RevealSeedResponse> REVEAL_SEED = ofTables(
            "RevealSeed", Table.RevealSeedRequest.getDefaultInstance(), Table.RevealSeedResponse.getDefaultInstance());

    static final MethodDescriptor<Table.SitOutRequest, Table.SitOutResponse> SIT_OUT = ofTables(
            "SitOut", Table.SitOutRequest.getDefaultInstance(), Table.SitOutResponse.getDefaultInstance());
    static final MethodDescriptor<Table.SitInRequest, Table.SitInResponse> SIT_IN = ofTables(
            "SitIn", Table.SitInRequest.getDefaultInstance(), Table.SitInResponse.getDefaultInstance());
    static final MethodDescriptor<Table.TopUpRequest, Table.TopUpResponse> TOP_UP = ofTables(
            "TopUp", Table.TopUpRequest.getDefaultInstance(), Table.TopUpResponse.getDefaultInstance());

    static final MethodDescriptor<Log.GetCheckpointRequest, Log.GetCheckpointResponse> GET_CHECKPOINT = ofTheLog(
            "GetCheckpoint",
            Log.GetCheckpointRequest.getDefaultInstance(),
            Log.GetCheckpointResponse.getDefaultInstance());
    static final MethodDescriptor<Log.GetConsistencyProofRequest, Log.GetConsistencyProofResponse>
            GET_CONSISTENCY_PROOF = ofTheLog(
                    "GetConsistencyProof",
                    Log.GetConsistencyProofRequest.getDefaultInstance(),
                    Log.GetConsistencyProofResponse.getDefaultInstance());
    static final MethodDescriptor<Log.GetInclusionProofRequest, Log.GetInclusionProofResponse> GET_INCLUSION_PROOF =
            ofTheLog(
                    "GetInclusionProof",
                    Log.GetInclusionProofRequest.getDefaultInstance(),
                    Log.GetInclusionProofResponse.getDefaultInstance());

    private Rpc() {}

    private static <Q extends Message, R extends Message> MethodDescriptor<Q, R> ofTables(
            String name, Q request, R response) {
        return method(Table.getDescriptor(), "TableService", name, request, response);
    }

    private static <Q extends Message, R extends Message> MethodDescriptor<Q, R> ofTheLog(
            String name, Q request, R response) {
        return method(Log.getDescriptor(), "LogService", name, request, response);
    }

    private static <Q extends Message, R extends Message> MethodDescriptor<Q, R> method(
            FileDescriptor file, String serviceName, String name, Q request, R response) {
        var service = file.findServiceByName(serviceName);
        var method = service.findMethodByName(name);
        if (!method.getInputType().equals(request.getDescriptorForType())
                || !method.getOutputType().equals(response.getDescriptorForType())) {
            throw new IllegalStateException(method.getFullName() + " has other messages");
        }
        return MethodDescriptor.<Q, R>newBuilder()
                .setType(type(method.isClientStreaming(), method.isServerStreaming()))
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service.getFullName(), name))
                .setRequestMarshaller(ProtoUtils.marshaller(request))
                .setResponseMarshaller(ProtoUtils.marshaller(response))
                .build();
    }

    private static MethodType type(boolean clientStreams, boolean serverStreams) {
        if (clientStreams) {
            return serverStreams ? MethodType.BIDI_STREAMING : MethodType.CLIENT_STREAMING;
        }
        return serverStreams ? MethodType.SERVER_STREAMING : MethodType.UNARY;
    }
}
