import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { GetInclusionProofResponseSchema, SealSchema, type GetInclusionProofRequest } from "../src/contract.js";
import {
  hex,
  inclusionPath,
  keyRing,
  leafHash,
  newestHead,
  parseTrustedKey,
  ProofError,
  provePiece,
  rootOf,
  sha256,
  SplitViewError,
  verifyPiece,
} from "../src/index.js";
import { scripted } from "./scripted.js";

const NAME = "log.example";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const raw = Buffer.concat([Buffer.of(1), Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url")]);
const keyId = sha256(`${NAME}\n`, raw).subarray(0, 4);
const ring = keyRing([parseTrustedKey(`${NAME}+${hex(keyId)}+${raw.toString("base64")}`)]);

const SEALS = [0n, 1n, 2n].map((piece) =>
  toBinary(SealSchema, create(SealSchema, { format: "referee-record/1", tableId: "t", piece })),
);
const LEAVES = SEALS.map((seal) => leafHash(seal));

function noteOf(size: number, root = rootOf(LEAVES.slice(0, size))): Buffer {
  const text = `${NAME}\n${size}\n${Buffer.from(root).toString("base64")}\n`;
  const signature = Buffer.concat([keyId, sign(null, Buffer.from(text), privateKey)]).toString("base64");
  return Buffer.from(`${text}\n— ${NAME} ${signature}\n`);
}

/** A log of three records that tells its head so and has these hashes for the growth from two to three. */
function logServer(note: Buffer, growth: Uint8Array[] = [LEAVES[2] as Uint8Array]) {
  return {
    getCheckpoint: () => ({ checkpoint: note }),
    getConsistencyProof: () => ({ size: 3n, hashes: growth }),
    getInclusionProof: ({ piece, size }: GetInclusionProofRequest) => {
      const hashes = inclusionPath(LEAVES.slice(0, Number(size)), Number(piece));
      return { seal: SEALS[Number(piece)] as Uint8Array, index: piece, size, hashes };
    },
  };
}

test("a hand that was played is proven to be in the log", async () => {
  await scripted(
    [],
    async (target) => {
      const head = await newestHead(target, ring);
      assert.equal(head.size, 3n);
      const proven = await provePiece(target, "t", 1n, head);
      assert.deepEqual([proven.seal.piece, proven.index, hex(proven.leaf)], [1n, 1n, hex(LEAVES[1] as Uint8Array)]);
      await assert.rejects(provePiece(target, "other", 1n, head), ProofError);
    },
    logServer(noteOf(3)),
  );
});

test("a piece whose proof is for another head, record or place is refused", () => {
  const checkpoint = { origin: NAME, size: 3n, root: rootOf(LEAVES), extensions: [] };
  const right = { seal: SEALS[1] as Uint8Array, index: 1n, size: 3n, hashes: inclusionPath(LEAVES, 1) };
  const verify =
    (change: object, piece = 1n) =>
    () =>
      verifyPiece(create(GetInclusionProofResponseSchema, { ...right, ...change }), "t", piece, checkpoint);
  assert.equal(verify({})().seal.tableId, "t");
  const wrong = [
    { size: 2n },
    { index: 0n },
    { seal: SEALS[0] },
    { hashes: [] },
    { seal: Buffer.concat([right.seal, Buffer.of(8, 1)]) },
  ];
  for (const change of wrong) assert.throws(verify(change), ProofError);
  assert.throws(verify({}, 2n), ProofError);
});

test("a new head goes on from the known one, or the log is split", async () => {
  const known = { origin: NAME, size: 2n, root: rootOf(LEAVES.slice(0, 2)), extensions: [] };
  const ask = (note: Buffer, growth?: Uint8Array[]) =>
    scripted([], async (target) => void (await newestHead(target, ring, { known })), logServer(note, growth));
  await ask(noteOf(3));
  await ask(noteOf(2));
  await assert.rejects(ask(noteOf(3), [LEAVES[0] as Uint8Array]), SplitViewError);
  await assert.rejects(ask(noteOf(1)), SplitViewError);
  await assert.rejects(ask(noteOf(2, rootOf(LEAVES.slice(1)))), SplitViewError);
});
