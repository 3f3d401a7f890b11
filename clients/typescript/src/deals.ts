/**
 * Decks that nobody chose: what is committed, what is revealed, and the decks that follow (`referee-deal/1`).
 *
 * docs/fair-deals.md specifies every byte, and what this does not prove. Numbers of blocks, hands and redeals are int64
 * of the contract, so `bigint`.
 */

import { createHmac } from "node:crypto";
import { inclusionPath, leafHash, ProofError, rootOf, sameBytes, sha256, verifyInclusion } from "./merkle.js";

/** The name and version of everything that is derived here. */
export const DERIVATION = "referee-deal/1";
export const SEED_BYTES = 32;
export const SALT_BYTES = 16;
export const DECK_SIZE = 52;

const MAX_ITEMS = 1024;
const MAX_SEATS = 1024;
const MAX_NUMBER = (1n << 63n) - 1n;
const BLOCK_BYTES = 32;
const NUMBERS = 1 << 16;

/** Something about a deal that is not as it must be; the message says what. */
export class DealError extends Error {
  override name = "DealError";
}

/** A revealed seed that is not the committed one. `seat` is whose it is; 0 is the referee. */
export class CommitmentError extends DealError {
  override name = "CommitmentError";
  constructor(
    readonly seat: number,
    message: string,
  ) {
    super(message);
  }
}

/** A seat's commitment and seed; what it did not give is empty. */
export interface SeatSeed {
  readonly seat: number;
  readonly commitment: Uint8Array;
  readonly seed: Uint8Array;
}

// --- seeds ----------------------------------------------------------------------------------------------

/** The referee's commitment to its seed for a match; raises DealError for a name or seed that cannot be used. */
export function commitReferee(match: string, seed: Uint8Array): Uint8Array {
  return commit(match, 0, new Uint8Array(), seed);
}

/** A seat's commitment to its seed. It contains the referee's, so it was made after that one. Raises DealError. */
export function commitSeat(match: string, seat: number, seed: Uint8Array, refereeCommitment: Uint8Array): Uint8Array {
  checkSeats([seat]);
  checkBytes(refereeCommitment, "the referee's commitment");
  return commit(match, seat, refereeCommitment, seed);
}

function commit(match: string, seat: number, refereeCommitment: Uint8Array, seed: Uint8Array): Uint8Array {
  checkMatch(match);
  checkBytes(seed, "a seed");
  return sha256(`${DERIVATION}/commit/${match}/${seat}/`, refereeCommitment, seed);
}

/** Everything that a match's decks depend on; `seats` in ascending order. */
export class MatchSeeds {
  constructor(
    readonly match: string,
    readonly refereeSeed: Uint8Array,
    readonly seats: readonly SeatSeed[],
  ) {
    checkMatch(match);
    checkBytes(refereeSeed, "the referee's seed");
    checkSeats(seats.map((one) => one.seat));
    for (const one of seats) {
      if (one.seed.length) checkBytes(one.seed, `seat ${one.seat}'s seed`);
      if (one.commitment.length) checkBytes(one.commitment, `seat ${one.seat}'s commitment`);
    }
  }

  /**
   * Checks each revealed seed against its commitment, the referee's first; raises CommitmentError for the first that
   * differs. It does not check when anything was sent.
   */
  check(refereeCommitment: Uint8Array): void {
    if (!sameBytes(commitReferee(this.match, this.refereeSeed), refereeCommitment)) {
      throw new CommitmentError(0, "the referee's seed is not the committed one");
    }
    for (const { seat, seed, commitment } of this.seats) {
      if (seed.length && !sameBytes(commitSeat(this.match, seat, seed, refereeCommitment), commitment)) {
        throw new CommitmentError(seat, `seat ${seat}'s seed is not the committed one`);
      }
    }
  }

  /** The match's 32 secret bytes: HKDF-SHA256 (RFC 5869) over the referee's seed and then the seats'. */
  matchSeed(): Uint8Array {
    const material = Buffer.concat([this.refereeSeed, ...this.seats.map(counted)]);
    const numbers = this.seats.map((one) => one.seat).join(",");
    const extracted = hmac(`${DERIVATION}/match/${this.match}`, material);
    return hmac(extracted, `${DERIVATION}/seats/${numbers}\x01`); // 32 bytes are one step of its expansion
  }
}

/** The 32 bytes of a seat that enter the match seed: the seed, else the commitment, else zeros. */
export function counted(seat: SeatSeed): Uint8Array {
  if (seat.seed.length) return seat.seed;
  return seat.commitment.length ? seat.commitment : new Uint8Array(SEED_BYTES);
}

// --- decks ----------------------------------------------------------------------------------------------

/** Which deck of a match: `items` of them (52 cards, 28 tiles), for a hand of a block, dealt anew `redeal` times. */
export interface Deal {
  readonly match: string;
  readonly items: number;
  readonly block: bigint;
  readonly hand: bigint;
  readonly redeal: bigint;
}

/** The decks of a match: they depend on its seeds, block and hand alone. `items` is 52 for cards. */
export class FairDecks {
  constructor(
    readonly match: string,
    private readonly matchSeed: Uint8Array,
    readonly items = DECK_SIZE,
  ) {
    checkMatch(match);
    checkBytes(matchSeed, "the match seed");
    if (!(items >= 1 && items <= MAX_ITEMS)) throw new DealError(`a deck of ${items}; expected 1 to ${MAX_ITEMS}`);
  }

  /** All items in the order in which they come (DEAL-3); raises DealError for a number outside 0 to 2^63 - 1. */
  deck(block: bigint, hand: bigint, redeal = 0n): number[] {
    return shuffled(
      this.items,
      numbers(this.matchSeed, `${DERIVATION}/deck/${pathOf(this.deal(block, hand, redeal))}`),
    );
  }

  /** The deck with its salts and the root that commits to it; raises DealError as `deck` does. */
  committed(block: bigint, hand: bigint, redeal = 0n): CommittedDeck {
    const deal = this.deal(block, hand, redeal);
    const label = `${DERIVATION}/salt/${pathOf(deal)}`;
    const blocks = Math.ceil((this.items * SALT_BYTES) / BLOCK_BYTES);
    const stream = Buffer.concat(
      Array.from({ length: blocks }, (_, number) => hmac(this.matchSeed, `${label}/${number}`)),
    );
    const salts = Array.from({ length: this.items }, (_, at) =>
      stream.subarray(SALT_BYTES * at, SALT_BYTES * (at + 1)),
    );
    return new CommittedDeck(deal, this.deck(block, hand, redeal), salts);
  }

  /** The seat that has the first button (SEAT-6); `seats` ascending. */
  firstButton(seats: readonly number[]): number {
    checkSeats(seats);
    return seats[below(seats.length, numbers(this.matchSeed, `${DERIVATION}/button`))] as number;
  }

  private deal(block: bigint, hand: bigint, redeal: bigint): Deal {
    for (const [what, number] of Object.entries({ block, hand, redeal })) {
      if (number < 0n || number > MAX_NUMBER) throw new DealError(`${what} ${number}; expected 0 to ${MAX_NUMBER}`);
    }
    return { match: this.match, items: this.items, block, hand, redeal };
  }
}

/** The deal's part of a label; the match is not in it, the key stands for it. */
function pathOf(deal: Deal): string {
  return `${deal.items}/${deal.block}/${deal.hand}/${deal.redeal}`;
}

function hmac(key: Uint8Array | string, data: Uint8Array | string): Buffer {
  return createHmac("sha256", key).update(data).digest();
}

/** Endless 16-bit numbers, big-endian, of a label. */
function* numbers(key: Uint8Array, label: string): Generator<number, never> {
  for (let number = 0; ; number += 1) {
    const block = hmac(key, `${label}/${number}`);
    for (let at = 0; at < BLOCK_BYTES; at += 2) yield block.readUInt16BE(at);
  }
}

/** A number from 0 to `bound - 1`, each as likely. */
function below(bound: number, stream: Generator<number, never>): number {
  const accepted = NUMBERS - (NUMBERS % bound);
  for (;;) {
    const number = stream.next().value;
    if (number < accepted) return number % bound;
  }
}

function shuffled(items: number, stream: Generator<number, never>): number[] {
  const deck = Array.from({ length: items }, (_, item) => item);
  for (let top = items - 1; top > 0; top -= 1) {
    const other = below(top + 1, stream);
    [deck[top], deck[other]] = [deck[other] as number, deck[top] as number];
  }
  return deck;
}

// --- opening cards --------------------------------------------------------------------------------------

/** One opened position of a deck (0 is dealt first): its item, its salt, and the hashes that lead to the root. */
export interface Opening {
  readonly position: number;
  readonly item: number;
  readonly salt: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** A deck with the root that commits to it; `salts` has 16 bytes for each position. */
export class CommittedDeck {
  readonly root: Uint8Array;
  readonly #leaves: readonly Uint8Array[];

  constructor(
    readonly deal: Deal,
    readonly deck: readonly number[],
    readonly salts: readonly Uint8Array[],
  ) {
    this.#leaves = deck.map((item, position) => cardLeaf(deal, position, item, salts[position] ?? new Uint8Array()));
    this.root = rootOf(this.#leaves);
  }

  /** Opens one position; raises RangeError when the deck has no such position. */
  open(position: number): Opening {
    const path = inclusionPath(this.#leaves, position);
    return { position, item: this.deck[position] as number, salt: this.salts[position] as Uint8Array, path };
  }
}

/** The hash of one position's leaf. It names the deal, so that an opening fits no other hand. */
function cardLeaf(deal: Deal, position: number, item: number, salt: Uint8Array): Uint8Array {
  return leafHash(`${DERIVATION}/card/${deal.match}/${pathOf(deal)}/${position}/${item}/`, salt);
}

/**
 * Checks an opened position against the root that was published for the deal; raises DealError. It shows what was
 * committed, not that the deck follows from the seeds.
 */
export function verifyOpening(deal: Deal, root: Uint8Array, opening: Opening): void {
  const { position, item, salt, path } = opening;
  if (!(item >= 0 && item < deal.items))
    throw new DealError(`position ${position}: item ${item} of a deck of ${deal.items}`);
  if (salt.length !== SALT_BYTES)
    throw new DealError(`position ${position}: a salt of ${salt.length} bytes; expected ${SALT_BYTES}`);
  try {
    verifyInclusion(cardLeaf(deal, position, item, salt), BigInt(position), BigInt(deal.items), path, root);
  } catch (error) {
    if (error instanceof ProofError) throw new DealError(`position ${position}: ${error.message}`);
    throw error;
  }
}

// --- what can be used -----------------------------------------------------------------------------------

function checkMatch(match: string): void {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(match)) {
    throw new DealError(`${JSON.stringify(match)} is not a match's name; expected 1 to 64 of A-Z a-z 0-9 . _ -`);
  }
}

function checkBytes(some: Uint8Array, what: string): void {
  if (some.length !== SEED_BYTES) throw new DealError(`${what} has ${some.length} bytes; expected ${SEED_BYTES}`);
}

/** Raises DealError unless these are seat numbers in ascending order, 1 to 1024 of them. */
function checkSeats(seats: readonly number[]): void {
  const ascending = seats.every((seat, at) => Number.isInteger(seat) && seat > (at ? (seats[at - 1] as number) : 0));
  if (!(seats.length >= 1 && seats.length <= MAX_SEATS && ascending)) {
    throw new DealError(`seats ${seats.join(", ")}: expected numbers from 1, ascending, each once`);
  }
}
