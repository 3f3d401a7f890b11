package referee.client.log;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A signed note (C2SP signed-note). Nothing in it may be believed before its signatures are verified.
 *
 * @param text the text, which ends with a newline
 * @param signatures its signatures
 */
public record Note(String text, List<Signature> signatures) {
    private static final int MAX_BYTES = 256 * 1024;
    private static final int MAX_SIGNATURES = 64;
    private static final String START = "\u2014 ";

    /**
     * One line of a note. Nothing is verified.
     *
     * @param name who says that he signed
     * @param keyId the id of his key
     * @param signature the signature's bytes
     */
    public record Signature(String name, ByteString keyId, ByteString signature) {}

    public Note {
        signatures = List.copyOf(signatures);
    }

    /** Reads a note. One note has one spelling: any other is refused, with the line. */
    public static Note parse(ByteString data) throws LogException {
        String text = decoded(data);
        if (!text.endsWith("\n")) {
            throw LogException.atLine(lines(text) + 1, "the last line has no end");
        }
        int split = text.lastIndexOf("\n\n");
        if (split < 0) {
            throw LogException.atLine(lines(text) + 1, "no empty line between text and signatures");
        }
        int first = lines(text.substring(0, split + 2)) + 1;
        String rest = text.substring(split + 2);
        if (rest.isEmpty()) {
            throw LogException.atLine(first, "no signature after the last empty line");
        }
        String[] written = rest.substring(0, rest.length() - 1).split("\n", -1);
        if (written.length > MAX_SIGNATURES) {
            throw LogException.atLine(first + MAX_SIGNATURES, "more than " + MAX_SIGNATURES + " signatures");
        }
        List<Signature> signatures = new ArrayList<>(written.length);
        for (int line = 0; line < written.length; line++) {
            signatures.add(signature(first + line, written[line]));
        }
        return new Note(text.substring(0, split + 1), signatures);
    }

    private static String decoded(ByteString data) throws LogException {
        if (data.size() > MAX_BYTES) {
            throw LogException.atLine(1, "a note of " + data.size() + " bytes; expected at most " + MAX_BYTES);
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(data.toByteArray()))
                    .toString();
        } catch (CharacterCodingException error) {
            throw LogException.atLine(1, "not UTF-8");
        }
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) < ' ' && text.charAt(at) != '\n') {
                throw LogException.atLine(lines(text.substring(0, at)) + 1, "a control character");
            }
        }
        return text;
    }

    private static Signature signature(int number, String line) throws LogException {
        if (!line.startsWith(START)) {
            throw LogException.atLine(number, "a signature begins with an em dash and a space");
        }
        String[] parts = line.substring(START.length()).split(" ", 2);
        if (parts.length != 2) {
            throw LogException.atLine(number, "expected a key's name, a space, and a signature");
        }
        String fault = Texts.nameFault(parts[0]);
        if (!fault.isEmpty()) {
            throw LogException.atLine(number, fault);
        }
        Optional<ByteString> raw = Texts.ofBase64(parts[1]);
        if (raw.isEmpty()) {
            throw LogException.atLine(number, "'" + parts[1] + "' is not the usual base64 of its bytes");
        }
        if (raw.get().size() <= VerifierKey.ID_BYTES) {
            throw LogException.atLine(number, "too few bytes for a key's id and a signature");
        }
        return new Signature(
                parts[0], raw.get().substring(0, VerifierKey.ID_BYTES), raw.get().substring(VerifierKey.ID_BYTES));
    }

    private static int lines(String text) {
        return (int) text.chars().filter(letter -> letter == '\n').count();
    }
}
