package referee.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import referee.client.log.KeyRing;
import referee.client.log.LogException;
import referee.client.log.Merkle;
import referee.client.log.ProofException;
import referee.client.log.VerifiedCheckpoint;
import referee.client.log.VerifierKey;

/** Runs the shared vectors of proofs and signed heads. */
class LogVectorsTest {
    private static final Map<LogException.Kind, String> FAULTS = Map.of(
            LogException.Kind.NOTE_FORMAT, "FORMAT",
            LogException.Kind.SIGNATURE, "SIGNATURE",
            LogException.Kind.UNTRUSTED, "UNTRUSTED");

    @Test
    void hashesAndRoots() {
        JsonObject vectors = Vectors.read("merkle.json");
        assertEquals(Vectors.bytes(vectors, "empty_root"), Merkle.EMPTY_ROOT);
        List<ByteString> leaves = new ArrayList<>();
        for (JsonObject leaf : Vectors.objects(vectors, "leaves")) {
            assertEquals(Vectors.bytes(leaf, "hash"), Merkle.leafHash(Vectors.bytes(leaf, "data")));
            leaves.add(Vectors.bytes(leaf, "hash"));
        }
        for (JsonObject node : Vectors.objects(vectors, "nodes")) {
            assertEquals(
                    Vectors.bytes(node, "hash"),
                    Merkle.nodeHash(Vectors.bytes(node, "left"), Vectors.bytes(node, "right")));
        }
        for (JsonObject root : Vectors.objects(vectors, "roots")) {
            int size = root.get("size").getAsInt();
            assertEquals(Vectors.bytes(root, "root"), Merkle.rootOf(leaves.subList(0, size)));
        }
    }

    @Test
    void inclusionProofs() {
        for (JsonObject one : Vectors.objects(Vectors.read("merkle.json"), "inclusion")) {
            assertProof(one, () -> Merkle.verifyInclusion(
                    Vectors.bytes(one, "leaf_hash"),
                    one.get("index").getAsLong(),
                    one.get("size").getAsLong(),
                    Vectors.bytesList(one, "proof"),
                    Vectors.bytes(one, "root")));
        }
    }

    @Test
    void consistencyProofs() {
        for (JsonObject one : Vectors.objects(Vectors.read("merkle.json"), "consistency")) {
            assertProof(one, () -> Merkle.verifyConsistency(
                    one.get("old_size").getAsLong(),
                    Vectors.bytes(one, "old_root"),
                    one.get("size").getAsLong(),
                    Vectors.bytes(one, "root"),
                    Vectors.bytesList(one, "proof")));
        }
    }

    private static void assertProof(JsonObject vector, Executable verifying) {
        if (Vectors.text(vector, "fault").isEmpty()) {
            try {
                verifying.execute();
            } catch (Throwable refused) {
                throw new AssertionError(vector.toString(), refused);
            }
        } else {
            assertThrows(ProofException.class, verifying, vector.toString());
        }
    }

    @Test
    void keysAreReadAndWritten() throws LogException {
        JsonObject vectors = Vectors.read("checkpoints.json");
        for (JsonObject one : Vectors.objects(vectors, "keys")) {
            VerifierKey key = VerifierKey.parse(Vectors.text(one, "text"));
            assertEquals(Vectors.text(one, "name"), key.name());
            assertEquals(one.get("type").getAsInt(), key.kind());
            assertEquals(Vectors.bytes(one, "public"), key.key());
            assertEquals(Vectors.bytes(one, "key_id"), key.id());
            assertEquals(Vectors.text(one, "text"), key.text());
        }
        for (JsonObject bad : Vectors.objects(vectors, "bad_keys")) {
            assertThrows(LogException.class, () -> VerifierKey.parse(Vectors.text(bad, "text")), bad.toString());
        }
    }

    @Test
    void checkpointsAreBelievedOrNot() throws LogException {
        JsonObject vectors = Vectors.read("checkpoints.json");
        JsonObject trusted = vectors.getAsJsonObject("trusted");
        List<String> logKeys = Vectors.texts(trusted, "log_keys");
        List<String> allKeys = new ArrayList<>(logKeys);
        allKeys.addAll(Vectors.texts(trusted, "witness_keys"));
        KeyRing all = KeyRing.parse(String.join("\n", allKeys));
        KeyRing logAlone = KeyRing.parse(String.join("\n", logKeys));
        assertEquals(Vectors.text(trusted, "origin"), all.origin());
        List<JsonObject> notes = Vectors.objects(vectors, "notes");
        assertFalse(notes.isEmpty());
        for (JsonObject one : notes) {
            assertEquals(Vectors.text(one, "fault_by_log_alone"), fault(logAlone, one), one.toString());
            assertEquals(Vectors.text(one, "fault"), fault(all, one), one.toString());
            if (Vectors.text(one, "fault").isEmpty()) {
                VerifiedCheckpoint believed = all.verify(Vectors.bytes(one, "note"), 1, 0);
                assertEquals(one.get("size").getAsLong(), believed.checkpoint().size());
                assertEquals(Vectors.bytes(one, "root"), believed.checkpoint().root());
                assertEquals(new TreeSet<>(Vectors.texts(one, "witnesses")), new TreeSet<>(believed.witnesses()));
                int quorum = believed.witnesses().size() + 1;
                LogException missed = assertThrows(
                        LogException.class, () -> all.verify(Vectors.bytes(one, "note"), 1, quorum));
                assertEquals(LogException.Kind.QUORUM, missed.kind());
            }
        }
    }

    private static String fault(KeyRing keys, JsonObject note) {
        try {
            keys.verify(Vectors.bytes(note, "note"), 1, 0);
            return "";
        } catch (LogException refused) {
            return FAULTS.get(refused.kind());
        }
    }
}
