package referee.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The test vectors that all SDKs share, clients/vectors; a file that is missing fails its test. */
final class Vectors {
    private static final Path FOLDER = Path.of("..", "..", "vectors");

    private Vectors() {}

    static JsonObject read(String file) {
        try {
            return JsonParser.parseString(Files.readString(FOLDER.resolve(file))).getAsJsonObject();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** The names of all files. */
    static Set<String> files() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    static List<JsonObject> objects(JsonObject of, String name) {
        return stream(of, name).map(JsonElement::getAsJsonObject).toList();
    }

    static List<Integer> ints(JsonObject of, String name) {
        return stream(of, name).map(JsonElement::getAsInt).toList();
    }

    static List<String> texts(JsonObject of, String name) {
        return stream(of, name).map(JsonElement::getAsString).toList();
    }

    static List<ByteString> bytesList(JsonObject of, String name) {
        return texts(of, name).stream().map(ByteString::fromHex).toList();
    }

    static String text(JsonObject of, String name) {
        return of.get(name).getAsString();
    }

    static ByteString bytes(JsonObject of, String name) {
        return ByteString.fromHex(text(of, name));
    }

    private static Stream<JsonElement> stream(JsonObject of, String name) {
        return StreamSupport.stream(of.getAsJsonArray(name).spliterator(), false);
    }
}
