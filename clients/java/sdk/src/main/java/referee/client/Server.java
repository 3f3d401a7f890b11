package referee.client;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Where a server is, and how to reach it. */
public final class Server {
    /** Quiet streams are pinged less often than the server allows, which is every 10 s. */
    private static final int KEEPALIVE_S = 20;

    private static final int KEEPALIVE_TIMEOUT_S = 10;
    private static final int MESSAGE_BYTES = 4 * 1024 * 1024;

    private final String target;
    private final ChannelCredentials credentials;

    private Server(String target, ChannelCredentials credentials) {
        this.target = target;
        this.credentials = credentials;
    }

    /** A server that is spoken to without TLS; {@code target} is {@code HOST:PORT}. */
    public static Server plain(String target) {
        return new Server(target, InsecureChannelCredentials.create());
    }

    /** A server with TLS; {@code ca} is the PEM file of the authority to trust. */
    public static Server tls(String target, Path ca) {
        try {
            return new Server(
                    target,
                    TlsChannelCredentials.newBuilder()
                            .trustManager(new ByteArrayInputStream(Files.readAllBytes(ca)))
                            .build());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** A server with credentials of one's own making, such as a client's certificate. */
    public static Server with(String target, ChannelCredentials credentials) {
        return new Server(target, credentials);
    }

    /** A channel of its own. Each attempt dials anew, so that only the client's own back-off delays it. */
    ManagedChannel channel() {
        return Grpc.newChannelBuilder(target, credentials)
                .keepAliveTime(KEEPALIVE_S, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_TIMEOUT_S, TimeUnit.SECONDS)
                .maxInboundMessageSize(MESSAGE_BYTES)
                .directExecutor()
                .build();
    }

    @Override
    public String toString() {
        return target;
    }
}
