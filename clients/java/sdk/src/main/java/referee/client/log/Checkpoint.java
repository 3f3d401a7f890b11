package referee.client.log;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The head of a log (C2SP tlog-checkpoint).
 *
 * @param origin the log's name
 * @param size how many records it has
 * @param root the root of the tree over them
 * @param extensions further lines, of which nothing is known
 */
public record Checkpoint(String origin, long size, ByteString root, List<String> extensions) {
    private static final Pattern SIZE = Pattern.compile("0|[1-9][0-9]{0,18}");

    public Checkpoint {
        extensions = List.copyOf(extensions);
    }

    /** Reads a note's text as a checkpoint. It has one spelling; any other is refused, with the line. */
    public static Checkpoint parse(String text) throws LogException {
        if (!text.endsWith("\n")) {
            throw LogException.atLine(text.split("\n", -1).length, "the last line has no end");
        }
        List<String> lines = List.of(text.substring(0, text.length() - 1).split("\n", -1));
        if (lines.size() < 3) {
            throw LogException.atLine(
                    lines.size() + 1, lines.size() + " lines; expected a log's name, a size and a root");
        }
        for (int line = 0; line < lines.size(); line++) {
            if (lines.get(line).isEmpty() || Texts.hasControl(lines.get(line))) {
                throw LogException.atLine(line + 1, "a line is not empty and has no control characters");
            }
        }
        long size = size(lines.get(1));
        Optional<ByteString> root = Texts.ofBase64(lines.get(2));
        if (root.isEmpty() || root.get().size() != Merkle.HASH_BYTES) {
            throw LogException.atLine(3, "'" + lines.get(2) + "' is not the base64 of " + Merkle.HASH_BYTES + " bytes");
        }
        if (size == 0 && !root.get().equals(Merkle.EMPTY_ROOT)) {
            throw LogException.atLine(3, "a log without records has another root");
        }
        return new Checkpoint(lines.get(0), size, root.get(), lines.subList(3, lines.size()));
    }

    private static long size(String text) throws LogException {
        if (SIZE.matcher(text).matches()) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException tooLarge) {
                throw LogException.atLine(2, "size " + text + " is above " + Long.MAX_VALUE);
            }
        }
        throw LogException.atLine(2, "'" + text + "' is not a size: digits without a leading zero");
    }

    /**
     * Checks that a new head's log begins with this one's records; the proof is that of consistency.
     *
     * @throws LogException for a head of another log, for a smaller one, for another root of the same size, and for a
     *     proof that does not show it
     */
    public void checkGrowth(Checkpoint newer, List<ByteString> proof) throws LogException {
        if (!newer.origin.equals(origin)) {
            throw splitView("a head of log '" + newer.origin + "', not '" + origin + "'");
        }
        if (newer.size < size) {
            throw splitView("a head of " + newer.size + " records; " + size + " are known");
        }
        if (newer.size == size && !newer.root.equals(root)) {
            throw splitView("two heads of " + size + " records");
        }
        try {
            Merkle.verifyConsistency(size, root, newer.size, newer.root, proof);
        } catch (ProofException error) {
            throw splitView("the head of " + newer.size + " records does not go on from that of " + size + ": "
                    + error.getMessage());
        }
    }

    private static LogException splitView(String message) {
        return new LogException(LogException.Kind.SPLIT_VIEW, message);
    }
}
