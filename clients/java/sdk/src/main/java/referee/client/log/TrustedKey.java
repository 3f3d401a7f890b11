package referee.client.log;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * A key, and when it is valid. The ends themselves are outside.
 *
 * @param key the key
 * @param fromUnixS from this time, in seconds
 * @param untilUnixS up to this time; empty for no end
 * @param fromSize from this size of the log
 * @param untilSize up to this size; empty for no end
 */
public record TrustedKey(
        VerifierKey key, long fromUnixS, OptionalLong untilUnixS, long fromSize, OptionalLong untilSize) {
    private static final Set<String> BOUNDS = Set.of("from_unix_s", "until_unix_s", "from_size", "until_size");

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
            if (!BOUNDS.contains(words[at]) || bounds.put(words[at], number(words[at + 1])) != null) {
                throw new LogException(
                        LogException.Kind.KEY_FORMAT, "'" + words[at] + "' is not a bound, or is there twice");
            }
        }
        TrustedKey trusted = new TrustedKey(
                key,
                bounds.getOrDefault("from_unix_s", 0L),
                end(bounds, "until_unix_s"),
                bounds.getOrDefault("from_size", 0L),
                end(bounds, "until_size"));
        if (isEmpty(trusted.fromUnixS, trusted.untilUnixS) || isEmpty(trusted.fromSize, trusted.untilSize)) {
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

    private static boolean isEmpty(long from, OptionalLong until) {
        return until.isPresent() && until.getAsLong() <= from;
    }

    private static OptionalLong end(Map<String, Long> bounds, String name) {
        Long end = bounds.get(name);
        return end == null ? OptionalLong.empty() : OptionalLong.of(end);
    }

    /** Whether the key is valid for a checkpoint of this size at this time. */
    boolean covers(long timeUnixS, long size) {
        return fromUnixS <= timeUnixS
                && (untilUnixS.isEmpty() || timeUnixS < untilUnixS.getAsLong())
                && fromSize <= size
                && (untilSize.isEmpty() || size < untilSize.getAsLong());
    }
}
