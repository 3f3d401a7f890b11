package referee.client;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/** JSON from plain values. */
final class Json {
    private static final Gson GSON = new Gson();

    private Json() {}

    /** An object of names and values in turn, as it would be read. */
    static JsonObject object(Object... namesAndValues) {
        JsonObject made = new JsonObject();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            Object value = namesAndValues[at + 1];
            made.add((String) namesAndValues[at], value instanceof JsonElement json ? json : GSON.toJsonTree(value));
        }
        return JsonParser.parseString(made.toString()).getAsJsonObject();
    }
}
