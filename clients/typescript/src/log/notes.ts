/** Signed notes: a text, an empty line, and lines of signatures (C2SP signed-note). */

import {
  decodeBase64,
  fits,
  identityOf,
  KEY_ID_BYTES,
  nameFault,
  NoteFormatError,
  SignatureError,
  type VerifierKey,
} from "./keys.js";

const MAX_NOTE_BYTES = 256 * 1024;
const MAX_SIGNATURES = 64;
const SIGNATURE_BYTES = 64;
const TIME_BYTES = 8;
const MAX_TIME_UNIX_S = (1n << 63n) - 1n;
const START = "— ";

/** One line of a note: who says that he signed, the id of his key, the signature's bytes. Nothing is verified. */
export interface NoteSignature {
  readonly name: string;
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

/** A text, which ends with a newline, and its signatures. Nothing in it may be believed before they are verified. */
export interface Note {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Reads a note; raises NoteFormatError with the line. One note has one spelling: any other is refused. */
export function parseNote(data: Uint8Array): Note {
  const text = decoded(data);
  if (!text.endsWith("\n")) throw new NoteFormatError(lineAt(text, text.length), "the last line has no end");
  const split = text.lastIndexOf("\n\n");
  if (split < 0) throw new NoteFormatError(lineAt(text, text.length), "no empty line between text and signatures");
  const first = lineAt(text, split + 2);
  const lines = text
    .slice(split + 2)
    .split("\n")
    .slice(0, -1);
  if (!lines.length) throw new NoteFormatError(first, "no signature after the last empty line");
  if (lines.length > MAX_SIGNATURES)
    throw new NoteFormatError(first + MAX_SIGNATURES, `more than ${MAX_SIGNATURES} signatures`);
  return { text: text.slice(0, split + 1), signatures: lines.map((line, at) => signatureOf(first + at, line)) };
}

/** Which line a place in a text is on, from 1. */
function lineAt(text: string, end: number): number {
  return text.slice(0, end).split("\n").length;
}

function decoded(data: Uint8Array): string {
  if (data.length > MAX_NOTE_BYTES) {
    throw new NoteFormatError(1, `a note of ${data.length} bytes; expected at most ${MAX_NOTE_BYTES}`);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new NoteFormatError(1, "not UTF-8");
  }
  const control = /[\x00-\x09\x0b-\x1f]/.exec(text);
  if (control !== null) throw new NoteFormatError(lineAt(text, control.index), "a control character");
  return text;
}

function signatureOf(number: number, line: string): NoteSignature {
  if (!line.startsWith(START)) throw new NoteFormatError(number, "a signature begins with an em dash and a space");
  const rest = line.slice(START.length);
  const space = rest.indexOf(" ");
  if (space < 0) throw new NoteFormatError(number, "expected a key's name, a space, and a signature");
  const name = rest.slice(0, space);
  const fault = nameFault(name);
  if (fault) throw new NoteFormatError(number, fault);
  const raw = decodeBase64(rest.slice(space + 1));
  if (raw === undefined) throw new NoteFormatError(number, "not base64 in its one spelling");
  if (raw.length <= KEY_ID_BYTES)
    throw new NoteFormatError(number, `${raw.length} bytes are too few for a key's id and a signature`);
  return { name, keyId: raw.subarray(0, KEY_ID_BYTES), signature: raw.subarray(KEY_ID_BYTES) };
}

/**
 * Verifies a signature by this key over a text: the time that was signed, in seconds, or undefined for a kind without.
 * Raises SignatureError.
 */
export function verifyNoteSignature(text: string, signature: NoteSignature, key: VerifierKey): bigint | undefined {
  const who = identityOf(key);
  if (identityOf(signature) !== who) throw new SignatureError(`signed by ${identityOf(signature)}, not by ${who}`);
  const raw = signature.signature;
  const expected = SIGNATURE_BYTES + (key.kind === "cosignature" ? TIME_BYTES : 0);
  if (raw.length !== expected)
    throw new SignatureError(`${who}: a signature of ${raw.length} bytes; expected ${expected}`);
  let time: bigint | undefined;
  if (key.kind === "cosignature") {
    time = Buffer.from(raw).readBigUInt64BE();
    if (time > MAX_TIME_UNIX_S) throw new SignatureError(`${who}: time ${time} is out of range`);
  }
  const message = time === undefined ? text : `cosignature/v1\ntime ${time}\n${text}`;
  if (!fits(key, message, raw.subarray(raw.length - SIGNATURE_BYTES))) {
    throw new SignatureError(`${who}: the signature does not fit the text`);
  }
  return time;
}
