package referee.client.deals;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import javax.crypto.Mac;

/** The endless bytes of one label under one key: HMAC-SHA256 of the label, a slash, and the number of the block. */
final class KeyedStream {
    private static final int NUMBERS = 1 << 16;

    private final Mac mac;
    private final String label;
    private long nextBlock;
    private byte[] block = new byte[0];
    private int at;

    KeyedStream(ByteString key, String label) {
        mac = Hashing.keyed(key.toByteArray());
        this.label = label;
    }

    /** A number from 0 to {@code bound - 1}, each as likely; {@code bound} is 1 to 1024. */
    int below(int bound) {
        int accepted = NUMBERS - NUMBERS % bound;
        while (true) {
            int number = number();
            if (number < accepted) {
                return number % bound;
            }
        }
    }

    /** The first so many bytes; asked of a stream that nothing was taken of. */
    byte[] first(int bytes) {
        ByteArrayOutputStream some = new ByteArrayOutputStream();
        while (some.size() < bytes) {
            some.writeBytes(next());
        }
        return some.toByteArray();
    }

    private int number() {
        if (at == block.length) {
            block = next();
            at = 0;
        }
        int number = (block[at] & 0xff) << 8 | block[at + 1] & 0xff;
        at += 2;
        return number;
    }

    private byte[] next() {
        byte[] made = mac.doFinal(Hashing.ascii(label + "/" + nextBlock));
        nextBlock++;
        return made;
    }
}
