package referee.client.log;

import java.util.Map;
import java.util.TreeMap;

/**
 * A key, and when it is valid. The ends themselves are outside.
 *
 * @param key the key
 * @param fromUnixS from this time, in seconds
 * @param untilUnixS up to this time; the largest long for no end
 * @param fromSize from this size of the log
 * @param untilSize up to this size; the largest long for no end
 */
public record TrustedKey(VerifierKey key, long fromUnixS, long untilUnixS, long fromSize, long untilSize) {
    private static final Map<String, Long> UNBOUNDED = Map.of(
            "from_unix_s", 0L, "until_unix_s", Long.MAX_VALUE, "from_size", 0L, "until_size", Long.MAX_VALUE);

    /** Reads a line of a key list: a verifier key, and the bounds of its validity if it has any. */
    public static TrustedKey parse(String line) throws LogException {
        String[] words = line.strip().split("\\s+");
        VerifierKey key = VerifierKey.parse(words[0]);
        if (words.length % 2 == 0) {
            throw new LogException(
                    LogException.Kind.KEY_FORMAT, "'" + words[words.length - 1] + "' has no value, or is one");
        }
        Map<String, Long> bounds = new TreeMap<>();
        for (int at = 1; at < words.length; at += 2) {
            if (!UNBOUNDED.containsKey(words[at]) || bounds.put(words[at], number(words[at + 1])) != null) {
                throw new LogException(
                        LogException.Kind.KEY_FORMAT, "'" + words[at] + "' is not a bound, or is there twice");
            }
        }
        UNBOUNDED.forEach(bounds::putIfAbsent);
        TrustedKey trusted = new TrustedKey(
                key,
                bounds.get("from_unix_s"),
                bounds.get("until_unix_s"),
                bounds.get("from_size"),
                bounds.get("until_size"));
        if (trusted.untilUnixS <= trusted.fromUnixS || trusted.untilSize <= trusted.fromSize) {
            throw new LogException(LogException.Kind.KEY_FORMAT, "key " + key.name() + ": valid for nothing");
        }
        return trusted;
    }

    private static long number(String text) throws LogException {
        if (text.matches("[0-9]{1,19}")) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException tooLarge) {
                // said below
            }
        }
        throw new LogException(LogException.Kind.KEY_FORMAT, "'" + text + "' is not a number of a bound");
    }

    /** Whether the key is valid for a checkpoint of this size at this time. */
    boolean covers(long timeUnixS, long size) {
        return fromUnixS <= timeUnixS && timeUnixS < untilUnixS && fromSize <= size && size < untilSize;
    }
}
