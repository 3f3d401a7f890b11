package referee.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import referee.client.log.Checkpoint;
import referee.client.log.KeyRing;
import referee.client.log.LogException;
import referee.client.log.Merkle;

/** When keys are believed, and which heads go on from which. */
class KeyRingTest {
    private static final String NAME = "log.example";

    private final KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    private final ByteString publicKey;
    private final String keyText;
    private final String keyId;

    KeyRingTest() throws GeneralSecurityException {
        byte[] encoded = pair.getPublic().getEncoded();
        publicKey = ByteString.copyFrom(encoded, encoded.length - 32, 32);
        ByteString raw = ByteString.copyFrom(new byte[] {1}).concat(publicKey);
        // the id of a key: the first four bytes of SHA-256 over name, newline, type and key
        byte[] hashed = java.security.MessageDigest.getInstance("SHA-256")
                .digest(ByteString.copyFromUtf8(NAME + "\n").concat(raw).toByteArray());
        keyId = HexFormat.of().formatHex(hashed, 0, 4);
        keyText = NAME + "+" + keyId + "+" + Base64.getEncoder().encodeToString(raw.toByteArray());
    }

    private ByteString note(long size) throws GeneralSecurityException {
        String root = Base64.getEncoder().encodeToString(Merkle.leafHash(ByteString.EMPTY).toByteArray());
        String text = NAME + "\n" + size + "\n" + root + "\n";
        Signature signing = Signature.getInstance("Ed25519");
        signing.initSign(pair.getPrivate());
        signing.update(text.getBytes());
        ByteString signature = ByteString.fromHex(keyId).concat(ByteString.copyFrom(signing.sign()));
        return ByteString.copyFromUtf8(text + "\n\u2014 " + NAME + " "
                + Base64.getEncoder().encodeToString(signature.toByteArray()) + "\n");
    }

    private LogException.Kind fault(String bounds, long size, long atUnixS) throws GeneralSecurityException {
        try {
            KeyRing.parse("# keys\n\n" + keyText + " " + bounds + "\n").verify(note(size), atUnixS, 0);
            return null;
        } catch (LogException refused) {
            return refused.kind();
        }
    }

    @Test
    void aKeyIsBelievedWithinItsBoundsOnly() throws GeneralSecurityException {
        assertEquals(null, fault("", 1, 0));
        assertEquals(null, fault("from_size 7 until_size 8", 7, 0));
        assertEquals(LogException.Kind.KEY_VALIDITY, fault("until_size 7", 7, 0));
        assertEquals(LogException.Kind.KEY_VALIDITY, fault("from_size 8", 7, 0));
        assertEquals(null, fault("from_unix_s 100 until_unix_s 200", 7, 100));
        assertEquals(LogException.Kind.KEY_VALIDITY, fault("from_unix_s 100 until_unix_s 200", 7, 200));
        assertEquals(LogException.Kind.KEY_VALIDITY, fault("from_unix_s 100 until_unix_s 200", 7, 99));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "until_size", "until_size x", "until_size 5 until_size 6", "size 5", "from_size 5 until_size 5",
                "until_size 99999999999999999999"
            })
    void boundsThatAreNoneAreRefused(String bounds) throws GeneralSecurityException {
        assertEquals(LogException.Kind.KEY_FORMAT, fault(bounds, 7, 0));
    }

    @Test
    void listsOfKeysThatMakeNoSenseAreRefused() {
        assertThrows(LogException.class, () -> KeyRing.parse("# nothing\n"));
        assertThrows(LogException.class, () -> KeyRing.parse(keyText + "\n" + keyText + "\n"));
    }

    @Test
    void aHeadGoesOnFromAnEarlierOneOrIsASplitView() throws LogException {
        List<ByteString> leaves = List.of(
                Merkle.leafHash(ByteString.copyFromUtf8("one")),
                Merkle.leafHash(ByteString.copyFromUtf8("two")));
        Checkpoint one = new Checkpoint(NAME, 1, Merkle.rootOf(leaves.subList(0, 1)), List.of());
        Checkpoint two = new Checkpoint(NAME, 2, Merkle.rootOf(leaves), List.of());
        one.checkGrowth(two, List.of(leaves.get(1)));
        one.checkGrowth(one, List.of());
        Checkpoint elsewhere = new Checkpoint("other.example", 2, two.root(), List.of());
        Checkpoint changed = new Checkpoint(NAME, 1, two.root(), List.of());
        assertThrows(LogException.class, () -> one.checkGrowth(two, List.of(leaves.get(0))));
        assertThrows(LogException.class, () -> one.checkGrowth(elsewhere, List.of(leaves.get(1))));
        assertThrows(LogException.class, () -> one.checkGrowth(changed, List.of()));
        assertThrows(LogException.class, () -> two.checkGrowth(one, List.of()));
    }
}
