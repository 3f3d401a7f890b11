import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkGrowth,
  hex,
  keyRing,
  KeyFormatError,
  KeyValidityError,
  NoteFormatError,
  parseCheckpoint,
  parseKeyList,
  parseNote,
  parseTrustedKey,
  parseVerifierKey,
  QuorumError,
  SIGNATURE_KINDS,
  SignatureError,
  SplitViewError,
  UntrustedError,
  verifyCheckpoint,
} from "../src/index.js";
import { bytes, read } from "./vectors.js";

type Fault = "" | "FORMAT" | "SIGNATURE" | "UNTRUSTED";

interface Checkpoints {
  readonly keys: readonly {
    readonly text: string;
    readonly name: string;
    readonly type: number;
    readonly public: string;
    readonly key_id: string;
  }[];
  readonly bad_keys: readonly { readonly name: string; readonly text: string }[];
  readonly trusted: {
    readonly origin: string;
    readonly log_keys: readonly string[];
    readonly witness_keys: readonly string[];
  };
  readonly notes: readonly {
    readonly name: string;
    readonly note: string;
    readonly fault: Fault;
    readonly fault_by_log_alone: Fault;
    readonly size?: string;
    readonly root?: string;
    readonly witnesses?: readonly string[];
  }[];
}

const FAULTS = { FORMAT: NoteFormatError, SIGNATURE: SignatureError, UNTRUSTED: UntrustedError };

const vectors = read<Checkpoints>("checkpoints.json");
const { log_keys, witness_keys } = vectors.trusted;
const logAlone = keyRing(log_keys.map(parseTrustedKey));
const ring = keyRing([...log_keys, ...witness_keys].map(parseTrustedKey));

test("vectors: keys are read, and what is no key is refused", () => {
  assert.ok(vectors.keys.length && vectors.bad_keys.length);
  for (const { text, name, type, key_id, ...vector } of vectors.keys) {
    const key = parseVerifierKey(text);
    assert.equal(key.name, name);
    assert.equal(SIGNATURE_KINDS[key.kind], type);
    assert.equal(hex(key.publicKey), vector.public);
    assert.equal(hex(key.keyId), key_id);
  }
  for (const { name, text } of vectors.bad_keys) assert.throws(() => parseVerifierKey(text), KeyFormatError, name);
});

test("vectors: signed heads are believed, or refused for what is wrong with them", () => {
  assert.ok(vectors.notes.some((one) => one.fault === "") && vectors.notes.some((one) => one.fault !== ""));
  for (const { name, note, fault, fault_by_log_alone, size, root, witnesses } of vectors.notes) {
    for (const [keys, wrong] of [
      [ring, fault],
      [logAlone, fault_by_log_alone],
    ] as const) {
      const verify = () => verifyCheckpoint(bytes(note), keys, { atUnixS: 1_800_000_000n });
      if (wrong !== "") {
        assert.throws(verify, FAULTS[wrong], name);
        continue;
      }
      const { checkpoint, ...verified } = verify();
      if (size !== undefined) assert.equal(checkpoint.size, BigInt(size), name);
      if (root !== undefined) assert.equal(hex(checkpoint.root), root, name);
      if (keys === ring && witnesses !== undefined) assert.deepEqual(verified.witnesses, witnesses, name);
      if (keys === logAlone) assert.deepEqual(verified.witnesses, [], name);
    }
  }
});

const cosigned = bytes(vectors.notes.find((one) => one.name === "good, cosigned by two")?.note ?? "");

test("a quorum asks for so many witnesses", () => {
  assert.deepEqual(verifyCheckpoint(cosigned, ring, { quorum: 2 }).witnesses.length, 2);
  assert.throws(() => verifyCheckpoint(cosigned, ring, { quorum: 3 }), QuorumError);
  assert.throws(() => verifyCheckpoint(cosigned, logAlone, { quorum: 1 }), QuorumError);
  assert.deepEqual(verifyCheckpoint(cosigned, logAlone).unknown, ["witness.example/w1", "witness.example/w2"]);
});

test("a key is believed within its bounds, whose ends are outside", () => {
  const [key] = log_keys;
  const at = (bounds: string) =>
    verifyCheckpoint(cosigned, keyRing([parseTrustedKey(`${key} ${bounds}`)]), { atUnixS: 1000n });
  assert.ok(at("from_size 40 until_size 41 from_unix_s 1000 until_unix_s 1001").byLog[0]?.valid);
  for (const bounds of ["from_size 41", "until_size 40", "from_unix_s 1001", "until_unix_s 1000"]) {
    assert.throws(() => at(bounds), KeyValidityError, bounds);
  }
});

test("a list of keys is read with its comments, and refused with its line", () => {
  const text = `# the log's\n${log_keys[0]} until_size 7\n\n${witness_keys[0]}\n`;
  const read = parseKeyList(text);
  assert.deepEqual([read.origin, read.logKeys.length, read.witnesses.length], [vectors.trusted.origin, 1, 1]);
  assert.equal(read.logKeys[0]?.untilSize, 7n);
  const faults: [string, RegExp][] = [
    [`${log_keys[0]} until_size`, /line 1: until_size has no value/],
    [`\n${log_keys[0]} until_size x`, /line 2: until_size "x" is not a number/],
    [`${log_keys[0]} size 7`, /"size" is not one of/],
    [`${log_keys[0]} until_size 7 until_size 8`, /at most once/],
    [`${log_keys[0]} from_size 7 until_size 7`, /valid for no/],
    [`${log_keys[0]}\n${log_keys[0]}`, /there twice/],
    [`${witness_keys[0]}`, /no key of a log/],
  ];
  for (const [list, message] of faults) assert.throws(() => parseKeyList(list), message);
});

test("a head goes on from a known one by its proof, or the log is split", () => {
  const { consistency } = read<{ consistency: readonly Record<string, string & readonly string[]>[] }>("merkle.json");
  const proof =
    consistency.find((one) => one["fault"] === "" && one["old_size"] !== "0" && one["old_size"] !== one["size"]) ?? {};
  const head = (size = "", root = "") => ({ origin: "log", size: BigInt(size), root: bytes(root), extensions: [] });
  const [known, next] = [head(proof["old_size"], proof["old_root"]), head(proof["size"], proof["root"])];
  const hashes = [...(proof["proof"] ?? [])].map(bytes);
  checkGrowth(known, next, hashes);
  checkGrowth(known, known, []);
  assert.throws(() => checkGrowth(next, known, hashes), SplitViewError);
  assert.throws(() => checkGrowth(known, { ...next, origin: "other" }, hashes), SplitViewError);
  assert.throws(() => checkGrowth(known, { ...next, root: known.root }, hashes), SplitViewError);
  assert.throws(() => checkGrowth(known, { ...known, root: next.root }, []), SplitViewError);
});

test("a note's fault is told with its line", () => {
  const { text } = parseNote(cosigned);
  assert.equal(parseCheckpoint(text).origin, vectors.trusted.origin);
  const line = (wrong: string) => {
    try {
      parseCheckpoint(wrong);
    } catch (error) {
      return (error as NoteFormatError).line;
    }
    return 0;
  };
  assert.equal(line(text), 0);
  assert.equal(line(text.replace("\n40\n", "\n040\n")), 2);
  assert.equal(line(text.replace("=", "")), 3);
  assert.equal(line(text + "\n"), 4);
  assert.throws(
    () => parseNote(Buffer.concat([cosigned.subarray(0, 5), Buffer.of(7), cosigned.subarray(5)])),
    /line 1: a control/,
  );
});
