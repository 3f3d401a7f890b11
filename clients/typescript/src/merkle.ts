/**
 * Append-only Merkle trees as RFC 6962 and RFC 9162 define them: the hashes, and proofs checked with nothing but the
 * roots in hand. Sizes and indexes are int64 of the contract, so `bigint`.
 */

import { createHash } from "node:crypto";

export const HASH_BYTES = 32;

/** The most leaves that a tree may have. */
export const MAX_SIZE = (1n << 63n) - 1n;

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Uint8Array = sha256();

/** A proof that proves nothing; the message says what is wrong with it. */
export class ProofError extends Error {
  override name = "ProofError";
}

/** Sizes, an index or a number of hashes that no proof can have. */
export class ProofShapeError extends ProofError {
  override name = "ProofShapeError";
}

/** A proof of the right shape that leads to another root. */
export class ProofMismatchError extends ProofError {
  override name = "ProofMismatchError";
}

/** The SHA-256 of these parts, one after another; text counts as its UTF-8 bytes. */
export function sha256(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Whether two rows of bytes are the same. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The hash of a leaf's bytes. Its prefix is not a node's, so that nobody can pass a node off as a leaf. */
export function leafHash(...data: readonly (Uint8Array | string)[]): Uint8Array {
  return sha256(LEAF, ...data);
}

/** The hash of two hashes. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(NODE, left, right);
}

/** The root over leaf hashes. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves;
  if (first === undefined) return EMPTY_ROOT;
  if (leaves.length === 1) return first;
  const left = cut(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)));
}

/**
 * The hashes that lead from leaf `index` to the root, the lowest first; raises RangeError when there is no such leaf.
 */
export function inclusionPath(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (!(index >= 0 && index < leaves.length)) throw new RangeError(`leaf ${index} of ${leaves.length}`);
  if (leaves.length === 1) return [];
  const left = cut(leaves.length);
  return index < left
    ? [...inclusionPath(leaves.slice(0, left), index), rootOf(leaves.slice(left))]
    : [...inclusionPath(leaves.slice(left), index - left), rootOf(leaves.slice(0, left))];
}

/** How many of `count` leaves, at least 2, go to the left: the largest power of two below `count`. */
function cut(count: number): number {
  let left = 1;
  while (left * 2 < count) left *= 2;
  return left;
}

/**
 * Checks that the leaf of this hash is number `index` of the tree of `size` leaves with this root. Raises
 * ProofShapeError or ProofMismatchError.
 */
export function verifyInclusion(
  leaf: Uint8Array,
  index: bigint,
  size: bigint,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): void {
  if (!(index >= 0n && index < size && size <= MAX_SIZE))
    throw new ProofShapeError(`leaf ${index} of a tree of ${size} leaves`);
  const { inner, border } = parts(index, size);
  checkHashes([leaf, root, ...proof], proof.length, inner + border, `leaf ${index} of ${size}`);
  let reached = leaf;
  proof.forEach((other, level) => {
    reached = level >= inner || bit(index, level) ? nodeHash(other, reached) : nodeHash(reached, other);
  });
  if (!sameBytes(reached, root)) throw mismatch(`leaf ${index} of ${size}`, reached, root);
}

/**
 * Checks that the tree of `size` leaves with this root begins with the tree of `oldSize` and `oldRoot`. Raises
 * ProofShapeError or ProofMismatchError.
 */
export function verifyConsistency(
  oldSize: bigint,
  oldRoot: Uint8Array,
  size: bigint,
  root: Uint8Array,
  proof: readonly Uint8Array[],
): void {
  const what = `${oldSize} leaves to ${size}`;
  if (!(oldSize >= 0n && oldSize <= size && size <= MAX_SIZE)) throw new ProofShapeError(what);
  if (oldSize === 0n || oldSize === size) {
    checkHashes([oldRoot, root], proof.length, 0, what);
    if (!sameBytes(oldRoot, oldSize ? root : EMPTY_ROOT))
      throw new ProofMismatchError(`two roots for ${oldSize} leaves`);
    if (size === 0n && !sameBytes(root, EMPTY_ROOT))
      throw new ProofMismatchError("a tree without leaves has another root");
    return;
  }
  verifyGrowth(oldSize, oldRoot, size, root, proof, what);
}

/** The proof is the path of the older tree's last complete subtree; its left part also makes the older root. */
function verifyGrowth(
  oldSize: bigint,
  oldRoot: Uint8Array,
  size: bigint,
  root: Uint8Array,
  proof: readonly Uint8Array[],
  what: string,
): void {
  const level = bitLength(oldSize & -oldSize) - 1;
  const whole = oldSize === 1n << BigInt(level);
  const { inner, border } = parts(oldSize - 1n, size);
  checkHashes([oldRoot, root, ...proof], proof.length, inner - level + border + (whole ? 0 : 1), what);
  // A whole older tree is itself the subtree that the path starts from, so the proof leaves it out.
  const path = whole ? [oldRoot, ...proof] : proof;
  let [older, ...rest] = path as [Uint8Array, ...Uint8Array[]];
  let newer = older;
  rest.forEach((other, step) => {
    if (step >= inner - level || bit(oldSize - 1n, level + step)) {
      older = nodeHash(other, older);
      newer = nodeHash(other, newer);
    } else {
      newer = nodeHash(newer, other);
    }
  });
  if (!sameBytes(older, oldRoot)) throw mismatch(`${oldSize} leaves`, older, oldRoot);
  if (!sameBytes(newer, root)) throw mismatch(`${size} leaves`, newer, root);
}

/**
 * How many hashes of the path from a leaf belong to the inner part, where the tree is cut like a complete one, and to
 * the border, the tree's right edge, where every hash stands on the left.
 */
function parts(index: bigint, size: bigint): { inner: number; border: number } {
  const inner = bitLength(index ^ (size - 1n));
  return { inner, border: (index >> BigInt(inner)).toString(2).replaceAll("0", "").length };
}

function bitLength(value: bigint): number {
  return value ? value.toString(2).length : 0;
}

function bit(value: bigint, level: number): boolean {
  return ((value >> BigInt(level)) & 1n) === 1n;
}

function checkHashes(hashes: readonly Uint8Array[], count: number, expected: number, what: string): void {
  if (count !== expected) throw new ProofShapeError(`${what}: a proof of ${count} hashes; expected ${expected}`);
  if (hashes.some((one) => one.length !== HASH_BYTES))
    throw new ProofShapeError(`${what}: a hash that is not of ${HASH_BYTES} bytes`);
}

function mismatch(what: string, reached: Uint8Array, root: Uint8Array): ProofMismatchError {
  return new ProofMismatchError(`${what}: the proof leads to root ${hex(reached)}, not ${hex(root)}`);
}

/** Bytes in hexadecimal. */
export function hex(some: Uint8Array): string {
  return Buffer.from(some.buffer, some.byteOffset, some.length).toString("hex");
}
