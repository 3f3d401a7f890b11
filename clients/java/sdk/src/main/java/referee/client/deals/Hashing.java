package referee.client.deals;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** SHA-256, and HMAC and HKDF with it; every Java has them. */
final class Hashing {
    private static final String HMAC = "HmacSHA256";

    private Hashing() {}

    static ByteString sha256(ByteString... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (ByteString part : parts) {
                digest.update(part.asReadOnlyByteBuffer());
            }
            return ByteString.copyFrom(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static Mac keyed(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** HKDF-SHA256 (RFC 5869) with 32 bytes of output, for which one step of its expansion is enough. */
    static byte[] hkdf(ByteString material, String salt, String info) {
        byte[] extracted = keyed(ascii(salt)).doFinal(material.toByteArray());
        Mac expanding = keyed(extracted);
        expanding.update(ascii(info));
        return expanding.doFinal(new byte[] {1});
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
