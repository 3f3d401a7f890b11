package referee.client.log;

import com.google.protobuf.ByteString;
import java.util.Base64;
import java.util.Optional;

/** Spellings that notes, keys and checkpoints share. */
final class Texts {
    private static final int MAX_NAME_LETTERS = 255;

    private Texts() {}

    static String base64(ByteString some) {
        return Base64.getEncoder().encodeToString(some.toByteArray());
    }

    /** Reads standard base64; nothing for any other spelling, so that no two texts mean the same bytes. */
    static Optional<ByteString> ofBase64(String text) {
        try {
            ByteString some = ByteString.copyFrom(Base64.getDecoder().decode(text));
            return base64(some).equals(text) ? Optional.of(some) : Optional.empty();
        } catch (IllegalArgumentException otherSpelling) {
            return Optional.empty();
        }
    }

    /** What is wrong with a key's name; empty when nothing is. */
    static String nameFault(String name) {
        int letters = name.codePointCount(0, name.length());
        if (letters < 1 || letters > MAX_NAME_LETTERS) {
            return "a key's name of " + letters + " letters; expected 1 to " + MAX_NAME_LETTERS;
        }
        if (name.codePoints().anyMatch(letter -> letter == '+' || letter < ' ' || isSpace(letter))) {
            return "'" + name + "' is not a key's name: spaces, plus signs and control characters are not allowed";
        }
        return "";
    }

    static boolean isSpace(int letter) {
        return letter == 0x85 || Character.isWhitespace(letter) || Character.isSpaceChar(letter);
    }

    static boolean hasControl(String line) {
        return line.chars().anyMatch(letter -> letter < ' ');
    }
}
