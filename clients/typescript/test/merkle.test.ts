import assert from "node:assert/strict";
import { test } from "node:test";
import {
  EMPTY_ROOT,
  hex,
  inclusionPath,
  leafHash,
  nodeHash,
  ProofMismatchError,
  ProofShapeError,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from "../src/index.js";
import { bytes, read } from "./vectors.js";

interface Merkle {
  readonly empty_root: string;
  readonly leaves: readonly { readonly data: string; readonly hash: string }[];
  readonly nodes: readonly { readonly left: string; readonly right: string; readonly hash: string }[];
  readonly roots: readonly { readonly size: string; readonly root: string }[];
  readonly inclusion: readonly ({ readonly leaf_hash: string; readonly index: string } & Proof)[];
  readonly consistency: readonly ({ readonly old_size: string; readonly old_root: string } & Proof)[];
}

interface Proof {
  readonly name: string;
  readonly size: string;
  readonly proof: readonly string[];
  readonly root: string;
  readonly fault: "" | "SHAPE" | "MISMATCH";
}

const vectors = read<Merkle>("merkle.json");
const leaves = vectors.leaves.map(({ data }) => leafHash(bytes(data)));

function check({ name, fault }: Proof, verify: () => void): void {
  if (fault === "") assert.doesNotThrow(verify, name);
  else assert.throws(verify, fault === "SHAPE" ? ProofShapeError : ProofMismatchError, name);
}

test("vectors: leaves, nodes and roots have their hashes", () => {
  assert.ok(vectors.leaves.length && vectors.nodes.length && vectors.roots.length);
  assert.equal(hex(EMPTY_ROOT), vectors.empty_root);
  vectors.leaves.forEach(({ hash }, at) => assert.equal(hex(leaves[at] as Uint8Array), hash));
  for (const { left, right, hash } of vectors.nodes) assert.equal(hex(nodeHash(bytes(left), bytes(right))), hash);
  for (const { size, root } of vectors.roots) assert.equal(hex(rootOf(leaves.slice(0, Number(size)))), root);
});

test("vectors: inclusion proofs hold, or are refused for what is wrong with them", () => {
  assert.ok(vectors.inclusion.some((one) => one.fault === "") && vectors.inclusion.some((one) => one.fault !== ""));
  for (const one of vectors.inclusion) {
    check(one, () =>
      verifyInclusion(bytes(one.leaf_hash), BigInt(one.index), BigInt(one.size), one.proof.map(bytes), bytes(one.root)),
    );
  }
});

test("vectors: consistency proofs hold, or are refused for what is wrong with them", () => {
  assert.ok(vectors.consistency.some((one) => one.fault === "") && vectors.consistency.some((one) => one.fault !== ""));
  for (const one of vectors.consistency) {
    check(one, () =>
      verifyConsistency(
        BigInt(one.old_size),
        bytes(one.old_root),
        BigInt(one.size),
        bytes(one.root),
        one.proof.map(bytes),
      ),
    );
  }
});

test("a path leads from every leaf of every tree to its root, and from no other place", () => {
  for (let size = 1; size <= leaves.length; size += 1) {
    const tree = leaves.slice(0, size);
    tree.forEach((leaf, index) => {
      const path = inclusionPath(tree, index);
      verifyInclusion(leaf, BigInt(index), BigInt(size), path, rootOf(tree));
      const other = (index + 1) % size;
      if (other !== index) assert.throws(() => verifyInclusion(leaf, BigInt(other), BigInt(size), path, rootOf(tree)));
    });
    assert.throws(() => inclusionPath(tree, size), RangeError);
  }
});
