package referee.client;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** Request ids that no other client and no earlier run has used. */
final class RequestIds {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int PREFIX_BYTES = 8;

    private final String prefix = unguessable(PREFIX_BYTES);
    private final AtomicLong last = new AtomicLong();

    String next() {
        return prefix + "-" + last.incrementAndGet();
    }

    /** So many random bytes in hexadecimal. */
    static String unguessable(int bytes) {
        byte[] drawn = new byte[bytes];
        RANDOM.nextBytes(drawn);
        return HexFormat.of().formatHex(drawn);
    }
}
