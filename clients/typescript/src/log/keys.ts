/** Keys that sign notes: a name, what kind of signature, 32 bytes of Ed25519; and which are believed when. */

import { createPublicKey, verify as verifySignature } from "node:crypto";
import { hex, sha256 } from "../merkle.js";

/** A note, key or checkpoint that is not believed; the message says why. */
export class LogError extends Error {
  override name = "LogError";
}

/** A note or checkpoint that cannot be read. `line` counts from 1. */
export class NoteFormatError extends LogError {
  override name = "NoteFormatError";
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(`line ${line}: ${message}`);
  }
}

/** A key, or a key's name, that cannot be used. */
export class KeyFormatError extends LogError {
  override name = "KeyFormatError";
}

/** A signature by a known key that does not verify. */
export class SignatureError extends LogError {
  override name = "SignatureError";
}

/** No signature by a known key of the log. */
export class UntrustedError extends LogError {
  override name = "UntrustedError";
}

/** Signed by known keys of the log, but outside the time or the sizes for which they are valid. */
export class KeyValidityError extends UntrustedError {
  override name = "KeyValidityError";
}

/** Fewer witnesses have cosigned than are asked for. */
export class QuorumError extends UntrustedError {
  override name = "QuorumError";
}

/** Two heads of one log that cannot both be true. */
export class SplitViewError extends LogError {
  override name = "SplitViewError";
}

/** What a signature says; the numbers are the type bytes of C2SP's signed notes. */
export const SIGNATURE_KINDS = { note: 0x01, cosignature: 0x04 } as const;
export type SignatureKind = keyof typeof SIGNATURE_KINDS;

export const KEY_ID_BYTES = 4;
const KEY_BYTES = 32;
const MAX_NAME_LETTERS = 255;
const MAX_KEYS = 1024;

/** A public key under a name. */
export interface VerifierKey {
  readonly name: string;
  readonly kind: SignatureKind;
  readonly publicKey: Uint8Array;
  /** Four bytes that tell keys of one name apart. They are too few to identify a key: verify the signature. */
  readonly keyId: Uint8Array;
}

/** Reads a key as verifiers write it: name, id and key, parted by plus signs. Raises KeyFormatError. */
export function parseVerifierKey(text: string): VerifierKey {
  const found = /^([^+]*)\+([^+]*)\+(.*)$/s.exec(text);
  if (found === null) throw new KeyFormatError(`${JSON.stringify(text)} is not a key; expected name+id+key`);
  const [, name = "", id, encoded = ""] = found;
  const raw = decodeBase64(encoded);
  if (raw === undefined) throw new KeyFormatError(`key ${JSON.stringify(name)}: not base64 in its one spelling`);
  const kind = kindOf(raw[0]);
  if (kind === undefined)
    throw new KeyFormatError(`key ${JSON.stringify(name)}: signature type ${raw[0]} is not known`);
  const fault = nameFault(name);
  if (fault) throw new KeyFormatError(fault);
  if (raw.length !== 1 + KEY_BYTES)
    throw new KeyFormatError(`key ${name}: ${raw.length - 1} bytes; expected ${KEY_BYTES}`);
  const keyId = sha256(`${name}\n`, raw).subarray(0, KEY_ID_BYTES);
  if (hex(keyId) !== id) throw new KeyFormatError(`key ${name}: its id is ${hex(keyId)}, not ${id}`);
  return { name, kind, publicKey: raw.subarray(1), keyId };
}

function kindOf(type: number | undefined): SignatureKind | undefined {
  if (type === SIGNATURE_KINDS.note) return "note";
  return type === SIGNATURE_KINDS.cosignature ? "cosignature" : undefined;
}

/** Whether an Ed25519 signature of 64 bytes fits a message. */
export function fits(key: VerifierKey, message: string, signature: Uint8Array): boolean {
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key.publicKey).toString("base64url") };
  return verifySignature(null, Buffer.from(message), createPublicKey({ key: jwk, format: "jwk" }), signature);
}

/** What is wrong with a key's name; empty when nothing is. */
export function nameFault(name: string): string {
  const letters = [...name];
  if (!letters.length || letters.length > MAX_NAME_LETTERS) {
    return `a key's name of ${letters.length} letters; expected 1 to ${MAX_NAME_LETTERS}`;
  }
  if (/[\p{White_Space}+\x00-\x1f]/u.test(name))
    return `${JSON.stringify(name)} is not a key's name: spaces, plus signs and control characters are not allowed`;
  return "";
}

/** Reads standard base64; undefined for any other spelling, so that no two texts mean the same bytes. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const some = Buffer.from(text, "base64");
  return some.toString("base64") === text ? some : undefined;
}

// --- keys that are believed -----------------------------------------------------------------------------

/**
 * A key, and when it is valid: from a time up to another (seconds), from a size of the log up to another. The ends
 * themselves are outside; undefined means no end.
 */
export interface TrustedKey {
  readonly key: VerifierKey;
  readonly fromUnixS: bigint;
  readonly untilUnixS: bigint | undefined;
  readonly fromSize: bigint;
  readonly untilSize: bigint | undefined;
}

/** The keys that a verifier was given for one log, its own and its witnesses'. */
export interface KeyRing {
  readonly origin: string;
  readonly logKeys: readonly TrustedKey[];
  readonly witnesses: readonly TrustedKey[];
}

/** Whether the key is valid for a checkpoint of this size at this time. */
export function covers(trusted: TrustedKey, timeUnixS: bigint, size: bigint): boolean {
  const { fromUnixS, untilUnixS, fromSize, untilSize } = trusted;
  const inTime = fromUnixS <= timeUnixS && (untilUnixS === undefined || timeUnixS < untilUnixS);
  return inTime && fromSize <= size && (untilSize === undefined || size < untilSize);
}

const BOUNDS = ["from_unix_s", "until_unix_s", "from_size", "until_size"] as const;

/** Reads a line: a verifier key, and the bounds of its validity if it has any. Raises KeyFormatError. */
export function parseTrustedKey(line: string): TrustedKey {
  const [text = "", ...words] = line.trim().split(/\s+/);
  const key = parseVerifierKey(text);
  if (words.length % 2) throw new KeyFormatError(`${words.at(-1)} has no value`);
  const bounds = new Map<string, bigint>();
  for (let at = 0; at < words.length; at += 2) {
    const [name = "", value = ""] = words.slice(at, at + 2);
    if (!BOUNDS.some((bound) => bound === name) || bounds.has(name)) {
      throw new KeyFormatError(`${JSON.stringify(name)} is not one of ${BOUNDS.join(", ")}, each at most once`);
    }
    if (!/^[0-9]{1,19}$/.test(value)) throw new KeyFormatError(`${name} ${JSON.stringify(value)} is not a number`);
    bounds.set(name, BigInt(value));
  }
  const trusted: TrustedKey = {
    key,
    fromUnixS: bounds.get("from_unix_s") ?? 0n,
    untilUnixS: bounds.get("until_unix_s"),
    fromSize: bounds.get("from_size") ?? 0n,
    untilSize: bounds.get("until_size"),
  };
  checkEnds(trusted);
  return trusted;
}

function checkEnds({ key, fromUnixS, untilUnixS, fromSize, untilSize }: TrustedKey): void {
  if ((untilUnixS !== undefined && untilUnixS <= fromUnixS) || (untilSize !== undefined && untilSize <= fromSize)) {
    throw new KeyFormatError(`key ${key.name}: valid for no times or sizes`);
  }
}

/**
 * Reads a list of keys of one log and its witnesses, one a line, comments after `#`; raises KeyFormatError with the
 * line.
 */
export function parseKeyList(text: string): KeyRing {
  const trusted: TrustedKey[] = [];
  text.split(/\r\n|\n|\r/).forEach((line, at) => {
    if (!line.trim() || line.trim().startsWith("#")) return;
    try {
      trusted.push(parseTrustedKey(line));
    } catch (error) {
      throw new KeyFormatError(`line ${at + 1}: ${(error as Error).message}`);
    }
    if (trusted.length > MAX_KEYS) throw new KeyFormatError(`line ${at + 1}: more than ${MAX_KEYS} keys`);
  });
  return keyRing(trusted);
}

/**
 * The ring of these keys, whose first key of a log names it. Raises KeyFormatError when there is none, when a key is
 * there twice, or when a key of the log does not bear the log's name.
 */
export function keyRing(trusted: readonly TrustedKey[]): KeyRing {
  const logKeys = trusted.filter((one) => one.key.kind === "note");
  const witnesses = trusted.filter((one) => one.key.kind === "cosignature");
  const origin = logKeys[0]?.key.name;
  if (origin === undefined) throw new KeyFormatError("no key of a log");
  const identities = trusted.map((one) => identityOf(one.key));
  const twice = identities.find((identity, at) => identities.indexOf(identity) !== at);
  if (twice !== undefined) throw new KeyFormatError(`key ${twice} is there twice`);
  const other = logKeys.find((one) => one.key.name !== origin);
  if (other !== undefined) throw new KeyFormatError(`key ${other.key.name} does not bear the name of log ${origin}`);
  return { origin, logKeys, witnesses };
}

/** What tells keys and signatures apart: the name and the four bytes. */
export function identityOf(key: { readonly name: string; readonly keyId: Uint8Array }): string {
  return `${key.name}+${hex(key.keyId)}`;
}
