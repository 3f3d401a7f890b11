package referee.client.log;

import com.google.protobuf.ByteString;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * Merkle trees of RFC 6962 and RFC 9162, and their proofs.
 *
 * <p>The sides on which a proof's hashes stand follow from the sizes alone: the path climbs through a part where the
 * tree is cut like a complete one (the <em>inner</em> part), and then along the tree's right edge (the
 * <em>border</em>), where every hash stands on the left.
 */
public final class Merkle {
    /** How many bytes a hash has. */
    public static final int HASH_BYTES = 32;

    /** The root of a tree without leaves. */
    public static final ByteString EMPTY_ROOT = sha256(new byte[0]);

    private static final byte[] LEAF = {0};
    private static final byte[] NODE = {1};

    private Merkle() {}

    /** The hash of a leaf's bytes. Its prefix is not a node's, so that nobody can pass a node off as a leaf. */
    public static ByteString leafHash(ByteString data) {
        return sha256(LEAF, data.toByteArray());
    }

    /** The hash of two hashes. */
    public static ByteString nodeHash(ByteString left, ByteString right) {
        return sha256(NODE, left.toByteArray(), right.toByteArray());
    }

    /** The root over hashes of leaves. */
    public static ByteString rootOf(List<ByteString> leaves) {
        if (leaves.isEmpty()) {
            return EMPTY_ROOT;
        }
        if (leaves.size() == 1) {
            return leaves.get(0);
        }
        int cut = cut(leaves.size());
        return nodeHash(rootOf(leaves.subList(0, cut)), rootOf(leaves.subList(cut, leaves.size())));
    }

    /** The hashes that lead from a leaf to the root over all of them, the lowest first. */
    public static List<ByteString> inclusionProof(List<ByteString> leaves, int index) {
        if (index < 0 || index >= leaves.size()) {
            throw new IllegalArgumentException("leaf " + index + " of a tree of " + leaves.size() + " leaves");
        }
        List<ByteString> path = new ArrayList<>();
        int start = 0;
        int end = leaves.size();
        while (end - start > 1) {
            int middle = start + cut(end - start);
            if (index < middle) {
                path.add(rootOf(leaves.subList(middle, end)));
                end = middle;
            } else {
                path.add(rootOf(leaves.subList(start, middle)));
                start = middle;
            }
        }
        Collections.reverse(path);
        return List.copyOf(path);
    }

    /** Checks that the leaf of this hash is number {@code index} of the tree of {@code size} leaves with this root. */
    public static void verifyInclusion(ByteString leaf, long index, long size, List<ByteString> proof, ByteString root)
            throws ProofException {
        String what = "leaf " + index + " of " + size;
        if (index < 0 || index >= size) {
            throw new ProofException(what + ": no such leaf");
        }
        int inner = inner(index, size);
        checkHashes(what, proof, inner + border(index, inner), leaf, root);
        ByteString reached = leaf;
        for (int level = 0; level < proof.size(); level++) {
            boolean onTheLeft = level >= inner || (index >> level & 1) == 1;
            ByteString other = proof.get(level);
            reached = onTheLeft ? nodeHash(other, reached) : nodeHash(reached, other);
        }
        checkRoot(what, reached, root);
    }

    /** Checks that the tree of {@code size} leaves and this root begins with that of {@code oldSize} and its root. */
    public static void verifyConsistency(
            long oldSize, ByteString oldRoot, long size, ByteString root, List<ByteString> proof)
            throws ProofException {
        String what = oldSize + " leaves to " + size;
        if (oldSize < 0 || oldSize > size) {
            throw new ProofException(what + ": the older tree is not the smaller one");
        }
        if (oldSize == 0 || oldSize == size) {
            checkHashes(what, proof, 0, oldRoot, root);
            checkRoot(what, oldRoot, oldSize == 0 ? EMPTY_ROOT : root);
            if (size == 0) {
                checkRoot(what, root, EMPTY_ROOT);
            }
            return;
        }
        verifyGrowth(what, oldSize, oldRoot, size, root, proof);
    }

    /** The proof is the path of the older tree's last complete subtree; its left part also makes the older root. */
    private static void verifyGrowth(
            String what, long oldSize, ByteString oldRoot, long size, ByteString root, List<ByteString> proof)
            throws ProofException {
        int level = Long.numberOfTrailingZeros(oldSize);
        boolean whole = oldSize == 1L << level;
        int pathInner = inner(oldSize - 1, size);
        int inner = pathInner - level;
        checkHashes(what, proof, inner + border(oldSize - 1, pathInner) + (whole ? 0 : 1), oldRoot, root);
        // A whole older tree is itself the subtree that the path starts from, so the proof leaves it out.
        ByteString older = whole ? oldRoot : proof.get(0);
        ByteString newer = older;
        List<ByteString> path = whole ? proof : proof.subList(1, proof.size());
        for (int step = 0; step < path.size(); step++) {
            ByteString other = path.get(step);
            if (step >= inner || ((oldSize - 1) >> (level + step) & 1) == 1) {
                older = nodeHash(other, older);
                newer = nodeHash(other, newer);
            } else {
                newer = nodeHash(newer, other);
            }
        }
        checkRoot(what + ", the older tree", older, oldRoot);
        checkRoot(what + ", the newer tree", newer, root);
    }

    /** How many of so many leaves, at least 2, go to the left: the largest power of two below their count. */
    private static int cut(int count) {
        return Integer.highestOneBit(count - 1);
    }

    private static int inner(long index, long size) {
        return Long.SIZE - Long.numberOfLeadingZeros(index ^ (size - 1));
    }

    private static int border(long index, int inner) {
        return Long.bitCount(index >> inner);
    }

    private static void checkHashes(String what, List<ByteString> proof, int expected, ByteString... others)
            throws ProofException {
        if (proof.size() != expected) {
            throw new ProofException(what + ": a proof of " + proof.size() + " hashes; expected " + expected);
        }
        List<ByteString> all = new ArrayList<>(proof);
        all.addAll(List.of(others));
        for (ByteString hash : all) {
            if (hash.size() != HASH_BYTES) {
                throw new ProofException(what + ": a hash that is not of " + HASH_BYTES + " bytes");
            }
        }
    }

    private static void checkRoot(String what, ByteString reached, ByteString wanted) throws ProofException {
        if (!reached.equals(wanted)) {
            throw new ProofException(what + ": the proof leads to root " + hex(reached) + ", not " + hex(wanted));
        }
    }

    static String hex(ByteString some) {
        return HexFormat.of().formatHex(some.toByteArray());
    }

    static ByteString sha256(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return ByteString.copyFrom(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
