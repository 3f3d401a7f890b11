package referee.client.log;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** The keys that a verifier was given for one log, its own and its witnesses', and what they make of a checkpoint. */
public final class KeyRing {
    private static final int MAX_KEYS = 1024;

    private final String origin;
    private final List<TrustedKey> logKeys;
    private final List<TrustedKey> witnesses;

    private KeyRing(String origin, List<TrustedKey> logKeys, List<TrustedKey> witnesses) {
        this.origin = origin;
        this.logKeys = logKeys;
        this.witnesses = witnesses;
    }

    /**
     * Reads a list of keys, one a line, followed by its bounds if it has any, and comments after {@code #}. Keys that
     * sign plainly are the log's own and must all bear its name; keys that cosign are witnesses'.
     */
    public static KeyRing parse(String text) throws LogException {
        List<TrustedKey> logKeys = new ArrayList<>();
        List<TrustedKey> witnesses = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            TrustedKey trusted = TrustedKey.parse(line);
            VerifierKey key = trusted.key();
            (key.kind() == VerifierKey.NOTE ? logKeys : witnesses).add(trusted);
            if (!seen.add(key.name() + "+" + Merkle.hex(key.id()))) {
                throw keyFormat("key " + key.text() + " is there twice");
            }
            if (seen.size() > MAX_KEYS) {
                throw keyFormat("more than " + MAX_KEYS + " keys");
            }
        }
        if (logKeys.isEmpty()) {
            throw keyFormat("no key of a log");
        }
        String origin = logKeys.get(0).key().name();
        for (TrustedKey trusted : logKeys) {
            if (!trusted.key().name().equals(origin)) {
                throw keyFormat("key " + trusted.key().name() + " does not bear the name of log " + origin);
            }
        }
        return new KeyRing(origin, List.copyOf(logKeys), List.copyOf(witnesses));
    }

    /** The log's name. */
    public String origin() {
        return origin;
    }

    /**
     * Verifies a signed checkpoint of the log.
     *
     * <p>It does not check that the head fits earlier ones ({@link Checkpoint#checkGrowth} does), nor that times lie in
     * the past.
     *
     * @param atUnixS when it was made as far as the verifier knows, or now; a signature that tells its own time is
     *     judged at that
     * @param quorum how many different witnesses must have cosigned
     * @throws LogException when it cannot be read, when any known key's signature does not verify, when it is another
     *     log's or none of the log's keys signed, when only keys did that are not valid, when the quorum is missed
     */
    public VerifiedCheckpoint verify(ByteString note, long atUnixS, int quorum) throws LogException {
        Note read = Note.parse(note);
        Checkpoint checkpoint = Checkpoint.parse(read.text());
        if (!checkpoint.origin().equals(origin)) {
            throw new LogException(
                    LogException.Kind.UNTRUSTED, "a checkpoint of log '" + checkpoint.origin() + "', not " + origin);
        }
        List<Boolean> byLog = new ArrayList<>();
        Set<String> cosigned = new TreeSet<>();
        Set<String> unknown = new TreeSet<>();
        for (Note.Signature signature : read.signatures()) {
            boolean known = false;
            for (TrustedKey trusted : logKeys) {
                if (trusted.key().signs(signature)) {
                    known = true;
                    byLog.add(isValid(read, signature, trusted, checkpoint.size(), atUnixS));
                }
            }
            for (TrustedKey trusted : witnesses) {
                if (trusted.key().signs(signature)) {
                    known = true;
                    if (isValid(read, signature, trusted, checkpoint.size(), atUnixS)) {
                        cosigned.add(trusted.key().name());
                    }
                }
            }
            if (!known) {
                unknown.add(signature.name());
            }
        }
        if (byLog.isEmpty()) {
            throw new LogException(LogException.Kind.UNTRUSTED, "not signed by any known key of log " + origin);
        }
        if (!byLog.contains(true)) {
            throw new LogException(
                    LogException.Kind.KEY_VALIDITY,
                    "size " + checkpoint.size() + ": signed by keys of " + origin + " outside their validity only");
        }
        if (cosigned.size() < quorum) {
            throw new LogException(
                    LogException.Kind.QUORUM, cosigned.size() + " known witnesses have cosigned; expected " + quorum);
        }
        return new VerifiedCheckpoint(checkpoint, cosigned, unknown);
    }

    private static boolean isValid(Note note, Note.Signature signature, TrustedKey trusted, long size, long atUnixS)
            throws LogException {
        OptionalLong told = trusted.key().verify(note.text(), signature);
        return trusted.covers(told.orElse(atUnixS), size);
    }

    private static LogException keyFormat(String message) {
        return new LogException(LogException.Kind.KEY_FORMAT, message);
    }
}
