package referee.client.log;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A public key of Ed25519 under a name.
 *
 * @param name who signs
 * @param kind what a signature says: {@link #NOTE} or {@link #COSIGNATURE}
 * @param key the 32 bytes of the key
 */
public record VerifierKey(String name, int kind, ByteString key) {
    /** Signs the note's text: this is the log's head. */
    public static final int NOTE = 0x01;

    /** Signs the text and a time: this is the largest head seen by then, and it fits all earlier ones. */
    public static final int COSIGNATURE = 0x04;

    static final int ID_BYTES = 4;

    private static final int KEY_BYTES = 32;
    private static final int SIGNATURE_BYTES = 64;
    private static final int TIME_BYTES = 8;

    /** What precedes the 32 bytes in the encoding that Java reads (RFC 8410). */
    private static final ByteString ENCODING_BEGIN = ByteString.fromHex("302a300506032b6570032100");

    /** Reads a key as verifiers write it: name, id and key, parted by plus signs. */
    public static VerifierKey parse(String text) throws LogException {
        String[] parts = text.split("\\+", 3);
        if (parts.length != 3) {
            throw new LogException(LogException.Kind.KEY_FORMAT, "'" + text + "' is not a key; expected name+id+key");
        }
        Optional<ByteString> raw = Texts.ofBase64(parts[2]);
        if (raw.isEmpty()) {
            throw new LogException(LogException.Kind.KEY_FORMAT, "key '" + parts[0] + "': not base64");
        }
        ByteString bytes = raw.get();
        int kind = bytes.isEmpty() ? -1 : bytes.byteAt(0);
        if (kind != NOTE && kind != COSIGNATURE) {
            throw new LogException(
                    LogException.Kind.KEY_FORMAT, "key '" + parts[0] + "': signature type " + kind + " is not known");
        }
        String fault = Texts.nameFault(parts[0]);
        if (fault.isEmpty() && bytes.size() != 1 + KEY_BYTES) {
            fault = "key " + parts[0] + ": " + (bytes.size() - 1) + " bytes; expected " + KEY_BYTES;
        }
        if (!fault.isEmpty()) {
            throw new LogException(LogException.Kind.KEY_FORMAT, fault);
        }
        VerifierKey key = new VerifierKey(parts[0], kind, bytes.substring(1));
        if (!Merkle.hex(key.id()).equals(parts[1])) {
            throw new LogException(
                    LogException.Kind.KEY_FORMAT,
                    "key '" + parts[0] + "': its id is " + Merkle.hex(key.id()) + ", not " + parts[1]);
        }
        return key;
    }

    /** Four bytes that tell keys of one name apart. They are too few to identify a key: verify the signature. */
    public ByteString id() {
        byte[] begin = (name + "\n").getBytes(StandardCharsets.UTF_8);
        return Merkle.sha256(begin, new byte[] {(byte) kind}, key.toByteArray()).substring(0, ID_BYTES);
    }

    /** The key as verifiers write it. */
    public String text() {
        ByteString raw = ByteString.copyFrom(new byte[] {(byte) kind}).concat(key);
        return name + "+" + Merkle.hex(id()) + "+" + Texts.base64(raw);
    }

    /** Whether a signature says that it is by this key. */
    boolean signs(Note.Signature signature) {
        return signature.name().equals(name) && signature.keyId().equals(id());
    }

    /**
     * Verifies a signature by this key over a text: the time that was signed, in seconds, or nothing for a kind without
     * one.
     *
     * @throws LogException when it does not verify
     */
    OptionalLong verify(String text, Note.Signature signature) throws LogException {
        String who = name + " (key " + Merkle.hex(id()) + ")";
        if (!signs(signature)) {
            throw new LogException(LogException.Kind.SIGNATURE, "signed by " + signature.name() + ", not by " + who);
        }
        ByteString raw = signature.signature();
        int expected = kind == COSIGNATURE ? TIME_BYTES + SIGNATURE_BYTES : SIGNATURE_BYTES;
        if (raw.size() != expected) {
            throw new LogException(
                    LogException.Kind.SIGNATURE,
                    who + ": a signature of " + raw.size() + " bytes; expected " + expected);
        }
        OptionalLong time = OptionalLong.empty();
        String message = text;
        if (kind == COSIGNATURE) {
            time = OptionalLong.of(raw.substring(0, TIME_BYTES).asReadOnlyByteBuffer().getLong());
            if (time.getAsLong() < 0) {
                throw new LogException(LogException.Kind.SIGNATURE, who + ": its time is out of range");
            }
            message = "cosignature/v1\ntime " + time.getAsLong() + "\n" + text;
            raw = raw.substring(TIME_BYTES);
        }
        if (!fits(message.getBytes(StandardCharsets.UTF_8), raw.toByteArray())) {
            throw new LogException(LogException.Kind.SIGNATURE, who + ": the signature does not fit the text");
        }
        return time;
    }

    private boolean fits(byte[] message, byte[] signature) {
        try {
            PublicKey read = KeyFactory.getInstance("Ed25519")
                    .generatePublic(new X509EncodedKeySpec(ENCODING_BEGIN.concat(key).toByteArray()));
            Signature verifying = Signature.getInstance("Ed25519");
            verifying.initVerify(read);
            verifying.update(message);
            return verifying.verify(signature);
        } catch (GeneralSecurityException noPoint) {
            return false; // bytes that are no key or no signature
        }
    }
}
