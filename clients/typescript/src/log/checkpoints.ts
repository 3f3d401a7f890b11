/** Checkpoints: the head of a log as a note's text (C2SP tlog-checkpoint), and what a verifier makes of it. */

import { EMPTY_ROOT, HASH_BYTES, hex, MAX_SIZE, ProofError, sameBytes, verifyConsistency } from "../merkle.js";
import {
  covers,
  decodeBase64,
  identityOf,
  KeyValidityError,
  NoteFormatError,
  QuorumError,
  SplitViewError,
  UntrustedError,
  type KeyRing,
  type TrustedKey,
  type VerifierKey,
} from "./keys.js";
import { parseNote, verifyNoteSignature, type Note } from "./notes.js";

/** A log's name (its *origin*), how many records it has, and the root over them; of further lines nothing is known. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: bigint;
  readonly root: Uint8Array;
  readonly extensions: readonly string[];
}

/** Reads a note's text as a checkpoint; raises NoteFormatError with the line. It has one spelling. */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new NoteFormatError(lines.length + 1, "the last line has no end");
  const [origin, digits, encoded, ...extensions] = lines;
  if (origin === undefined || digits === undefined || encoded === undefined) {
    throw new NoteFormatError(lines.length + 1, `${lines.length} lines; expected a log's name, a size and a root`);
  }
  lines.forEach((line, at) => {
    if (!line || /[\x00-\x1f]/.test(line)) throw new NoteFormatError(at + 1, "an empty line, or a control character");
  });
  if (!/^(0|[1-9][0-9]{0,18})$/.test(digits) || BigInt(digits) > MAX_SIZE) {
    throw new NoteFormatError(2, `${JSON.stringify(digits)} is not a size: 0 to 2^63 - 1 without a leading zero`);
  }
  const size = BigInt(digits);
  const root = decodeBase64(encoded);
  if (root?.length !== HASH_BYTES) throw new NoteFormatError(3, `not ${HASH_BYTES} bytes in base64's one spelling`);
  if (size === 0n && !sameBytes(root, EMPTY_ROOT))
    throw new NoteFormatError(3, "a log without records has another root");
  return { origin, size, root, extensions };
}

/** A verified signature: its key, the time that it tells (if its kind does), whether the key was valid. */
export interface Signed {
  readonly key: VerifierKey;
  readonly timeUnixS: bigint | undefined;
  readonly valid: boolean;
}

/** A checkpoint that a valid key of its log has signed, and what else is in the note. */
export interface VerifiedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly byLog: readonly Signed[];
  readonly byWitnesses: readonly Signed[];
  /** The names of the witnesses whose valid keys have cosigned, each once, sorted. */
  readonly witnesses: readonly string[];
  /** Those whose keys the verifier does not know: their signatures say nothing. */
  readonly unknown: readonly string[];
}

/**
 * Verifies a signed checkpoint of the ring's log.
 *
 * `atUnixS` is when it was made as far as the verifier knows, by default now; a signature that tells its own time is
 * judged at that. `quorum` is how many different witnesses must have cosigned. Raises NoteFormatError, SignatureError
 * when any known key's signature does not verify, UntrustedError, KeyValidityError, QuorumError. It does not check that
 * the head fits earlier ones: see `checkGrowth`.
 */
export function verifyCheckpoint(
  data: Uint8Array,
  ring: KeyRing,
  { atUnixS = BigInt(Math.floor(Date.now() / 1000)), quorum = 0 }: { atUnixS?: bigint; quorum?: number } = {},
): VerifiedCheckpoint {
  const note = parseNote(data);
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin !== ring.origin)
    throw new UntrustedError(`a checkpoint of log ${checkpoint.origin}, not ${ring.origin}`);
  const byLog = signedBy(note, ring.logKeys, checkpoint.size, atUnixS);
  const byWitnesses = signedBy(note, ring.witnesses, checkpoint.size, atUnixS);
  if (!byLog.length) throw new UntrustedError(`not signed by any known key of log ${ring.origin}`);
  if (!byLog.some((signed) => signed.valid)) {
    throw new KeyValidityError(`size ${checkpoint.size}: signed by a key of ${ring.origin} outside its validity`);
  }
  const known = new Set([...byLog, ...byWitnesses].map((signed) => identityOf(signed.key)));
  const unknown = note.signatures.filter((one) => !known.has(identityOf(one))).map((one) => one.name);
  const witnesses = [...new Set(byWitnesses.filter((signed) => signed.valid).map((signed) => signed.key.name))].sort();
  if (witnesses.length < quorum)
    throw new QuorumError(`${witnesses.length} known witnesses have cosigned; expected ${quorum}`);
  return { checkpoint, byLog, byWitnesses, witnesses, unknown };
}

/** The verified signatures by these keys, in the note's order; raises SignatureError for one that does not fit. */
function signedBy(note: Note, keys: readonly TrustedKey[], size: bigint, atUnixS: bigint): Signed[] {
  const byIdentity = new Map(keys.map((trusted) => [identityOf(trusted.key), trusted]));
  return note.signatures.flatMap((signature) => {
    const trusted = byIdentity.get(identityOf(signature));
    if (trusted === undefined) return [];
    const timeUnixS = verifyNoteSignature(note.text, signature, trusted.key);
    return [{ key: trusted.key, timeUnixS, valid: covers(trusted, timeUnixS ?? atUnixS, size) }];
  });
}

/**
 * Checks that a new head's log begins with the known one's records, by the proof of consistency; raises SplitViewError.
 */
export function checkGrowth(known: Checkpoint, head: Checkpoint, proof: readonly Uint8Array[]): void {
  if (head.origin !== known.origin) throw new SplitViewError(`a head of log ${head.origin}, not ${known.origin}`);
  if (head.size < known.size) throw new SplitViewError(`a head of ${head.size} records; ${known.size} are known`);
  if (head.size === known.size && !sameBytes(head.root, known.root)) {
    throw new SplitViewError(`two heads of ${head.size} records: roots ${hex(known.root)} and ${hex(head.root)}`);
  }
  try {
    verifyConsistency(known.size, known.root, head.size, head.root, proof);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    throw new SplitViewError(
      `the head of ${head.size} records does not go on from that of ${known.size}: ${error.message}`,
    );
  }
}
