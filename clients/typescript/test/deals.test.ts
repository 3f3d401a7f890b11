import assert from "node:assert/strict";
import { test } from "node:test";
import { EventKind, type PlayResponseItem } from "../src/contract.js";
import {
  cardText,
  CommitmentError,
  commitReferee,
  commitSeat,
  counted,
  DealError,
  FairDecks,
  Follower,
  hex,
  MatchSeeds,
  verifyOpening,
  type SeatSeed,
} from "../src/index.js";
import { CONFIG, Told } from "./told.js";
import { bytes, read } from "./vectors.js";

interface Deals {
  readonly matches: readonly {
    readonly match: string;
    readonly referee: { readonly seed: string; readonly commitment: string };
    readonly seats: readonly {
      readonly seat: number;
      readonly commitment: string;
      readonly seed: string;
      readonly counted: string;
    }[];
    readonly match_seed: string;
    readonly first_button: number;
    readonly deals: readonly {
      readonly items: number;
      readonly block: string;
      readonly hand: string;
      readonly redeal: number;
      readonly deck: readonly number[];
      readonly written: string;
      readonly salts: string;
      readonly root: string;
      readonly openings: readonly {
        readonly position: number;
        readonly item: number;
        readonly salt: string;
        readonly path: readonly string[];
      }[];
    }[];
  }[];
}

const { matches } = read<Deals>("deals.json");

test("vectors: commitments, match seeds and first buttons are rebuilt", () => {
  assert.ok(matches.length);
  for (const { match, referee, seats, match_seed, first_button } of matches) {
    const commitment = commitReferee(match, bytes(referee.seed));
    assert.equal(hex(commitment), referee.commitment);
    for (const { seat, seed, ...vector } of seats) {
      if (seed) assert.equal(hex(commitSeat(match, seat, bytes(seed), commitment)), vector.commitment);
      assert.equal(hex(counted({ seat, commitment: bytes(vector.commitment), seed: bytes(seed) })), vector.counted);
    }
    const seeds = seedsOf(match, referee.seed, seats);
    seeds.check(commitment);
    assert.equal(hex(seeds.matchSeed()), match_seed);
    assert.equal(new FairDecks(match, seeds.matchSeed()).firstButton(seats.map(({ seat }) => seat)), first_button);
  }
});

interface TileDeals {
  readonly matches: readonly {
    readonly match: string;
    readonly match_seed: string;
    readonly rounds: readonly {
      readonly block: string;
      readonly hand: string;
      readonly decks: readonly string[];
      readonly roots: readonly string[];
    }[];
  }[];
}

test("vectors: Kozel's tiles are dealt by the same derivation, and each redeal is a deck of its own", () => {
  const tiles = Array.from({ length: 7 }, (_, low) =>
    Array.from({ length: 7 - low }, (_, step) => `${low + step}-${low}`),
  ).flat();
  let redeals = 0;
  for (const { match, match_seed, rounds } of read<TileDeals>("kozel_deals.json").matches) {
    const decks = new FairDecks(match, bytes(match_seed), tiles.length);
    for (const round of rounds) {
      const made = round.decks.map((_, redeal) =>
        decks.committed(BigInt(round.block), BigInt(round.hand), BigInt(redeal)),
      );
      assert.deepEqual(
        made.map(({ deck }) => deck.map((item) => tiles[item]).join(" ")),
        round.decks,
      );
      assert.deepEqual(
        made.map(({ root }) => hex(root)),
        round.roots,
      );
      redeals += made.length - 1;
    }
  }
  assert.ok(redeals);
});

function seedsOf(
  match: string,
  refereeSeed: string,
  seats: readonly { seat: number; commitment: string; seed: string }[],
): MatchSeeds {
  const read = seats.map(({ seat, commitment, seed }): SeatSeed => ({
    seat,
    commitment: bytes(commitment),
    seed: bytes(seed),
  }));
  return new MatchSeeds(match, bytes(refereeSeed), read);
}

test("vectors: decks, salts, roots and openings are rebuilt, and the openings verify", () => {
  for (const { match, match_seed, deals } of matches) {
    assert.ok(deals.length);
    for (const { items, block, hand, redeal, deck, salts, root, openings, written } of deals) {
      const committed = new FairDecks(match, bytes(match_seed), items).committed(
        BigInt(block),
        BigInt(hand),
        BigInt(redeal),
      );
      assert.deepEqual(committed.deck, deck);
      if (items === 52) assert.equal(committed.deck.map(cardText).join(" "), written);
      assert.equal(Buffer.concat(committed.salts).toString("hex"), salts);
      assert.equal(hex(committed.root), root);
      for (const opening of openings) {
        const { position, item, salt, path } = committed.open(opening.position);
        assert.deepEqual({ position, item, salt: hex(salt), path: path.map(hex) }, opening);
        const opened = { position, item: opening.item, salt: bytes(opening.salt), path: opening.path.map(bytes) };
        verifyOpening(committed.deal, committed.root, opened);
        const other = { ...opened, item: (item + 1) % items };
        assert.throws(() => verifyOpening(committed.deal, committed.root, other), DealError);
        assert.throws(
          () => verifyOpening({ ...committed.deal, hand: committed.deal.hand + 1n }, committed.root, opened),
          DealError,
        );
        assert.throws(
          () => verifyOpening(committed.deal, committed.root, { ...opened, salt: opened.salt.subarray(1) }),
          DealError,
        );
      }
    }
  }
});

test("a number that would make some cards likelier is passed over", () => {
  // Hand 185 of this match draws 65524 below 43, which is not below 65536 - 65536 mod 43.
  const deck = new FairDecks("m", Buffer.alloc(32, 1)).deck(0n, 185n).map(cardText).join(" ");
  assert.equal(
    deck,
    "Ah 3h Qs Ks Tc Qc 5s 5c 7c 7d As 6s 8s 2s 4d Js 2c 4c Jd 9c Jc 9s 5h Kh 5d Ac " +
      "4h Jh Ad 2d Kc Td 3c Th Qh 3d 6d 9d 6h 4s 8c 6c Ts 7s 8h 7h 8d Kd 2h Qd 3s 9h",
  );
});

test("seeds that are not the committed ones are named by their seat", () => {
  const found = matches.find(({ seats }) => seats.every(({ seed }) => seed));
  const { match, referee, seats } = found as Deals["matches"][number];
  const commitment = bytes(referee.commitment);
  const other = "11".repeat(32);
  const seat = (error: unknown): number => (error as CommitmentError).seat;
  assert.throws(
    () => seedsOf(match, other, seats).check(commitment),
    (error) => error instanceof CommitmentError && seat(error) === 0,
  );
  const changed = seats.map((one, at) => (at === 1 ? { ...one, seed: other } : one));
  assert.throws(
    () => seedsOf(match, referee.seed, changed).check(commitment),
    (error) => seat(error) === seats[1]?.seat,
  );
});

test("what cannot be used for deals is refused", () => {
  const seed = Buffer.alloc(32, 1);
  for (const match of ["", "a b", "x".repeat(65), "a/b", "a\n", "é"])
    assert.throws(() => commitReferee(match, seed), DealError);
  assert.throws(() => commitReferee("m", seed.subarray(1)), DealError);
  assert.throws(() => commitSeat("m", 0, seed, seed), DealError);
  assert.throws(() => commitSeat("m", 1, seed, seed.subarray(1)), DealError);
  const seats = (...numbers: number[]) =>
    numbers.map((number) => ({ seat: number, commitment: new Uint8Array(), seed: new Uint8Array() }));
  for (const wrong of [seats(), seats(2, 1), seats(1, 1), seats(0, 1)])
    assert.throws(() => new MatchSeeds("m", seed, wrong), DealError);
  for (const items of [0, 1025]) assert.throws(() => new FairDecks("m", seed, items), DealError);
  assert.throws(() => new FairDecks("m", seed).deck(0n, 1n << 63n), DealError);
  assert.throws(() => new FairDecks("m", seed).deck(-1n, 1n), DealError);
  assert.equal(new FairDecks("m", seed).deck(0n, (1n << 63n) - 1n).length, 52);
});

// --- the check of the hands that a seat has played ------------------------------------------------------

const MATCH = "fair";
const REFEREE_SEED = Buffer.alloc(32, 9);
const OWN_SEED = Buffer.alloc(32, 8);
const OTHER_SEED = Buffer.alloc(32, 7);
const COMMITMENT = commitReferee(MATCH, REFEREE_SEED);
const SEATS = [OWN_SEED, OTHER_SEED].map((seed, at) => ({
  seat: at + 1,
  seed,
  commitment: commitSeat(MATCH, at + 1, seed, COMMITMENT),
}));
const DECKS = new FairDecks(MATCH, new MatchSeeds(MATCH, REFEREE_SEED, SEATS).matchSeed());

interface Cheat {
  /** Changes the deck that hand 2 is dealt from, after it was committed to. */
  readonly deck?: (deck: number[]) => void;
  /** Commits to that other deck. */
  readonly commits?: boolean;
  readonly seeds?: Record<string, unknown>;
  readonly commitments?: typeof SEATS;
  readonly seats?: number[];
}

/** What a seat finds of a table of two hands, the second played to the river, at which the referee cheats. */
function found(cheat: Cheat = {}): { checked: number; fault: string } {
  const follower = new Follower("t", "secret", { now: () => 0, firstHand: 0, seed: OWN_SEED });
  const told = new Told("t", MATCH);
  const tell = (...items: PlayResponseItem[]): void => items.forEach((item) => void follower.receive(item));
  tell(told.snapshot());
  tell(told.seen({ case: "opened", value: { config: CONFIG, matchName: MATCH, dealCommitment: COMMITMENT } }));
  const commitments = (cheat.commitments ?? SEATS).map(({ seat, commitment }) => ({ seat, commitment }));
  tell(told.seen({ case: "commitmentsClosed", value: { seats: cheat.seats ?? [1, 2], commitments } }));
  for (const hand of [1, 2]) {
    const { deck, root } = DECKS.committed(0n, BigInt(hand));
    const dealt = [...deck];
    if (hand === 2) cheat.deck?.(dealt);
    const committed = hand === 2 && cheat.commits ? Buffer.alloc(32, 3) : root;
    // Seat 2 is left of the button and is dealt the first card (DEAL-1).
    tell(
      ...told.begun(
        [1, 3, 5, 7].map((position) => dealt[position] as number),
        committed,
      ),
    );
    if (hand === 2) {
      tell(told.happened({ kind: EventKind.CALLED, seat: 1, amount: 5n, streetTotal: 10n }));
      for (const [from, to] of [
        [8, 11],
        [11, 12],
        [12, 13],
      ]) {
        tell(told.happened({ kind: EventKind.BOARD_DEALT, cards: dealt.slice(from, to).map(cardText) }));
      }
    }
    tell(...told.folded());
  }
  const shown = { matchName: MATCH, refereeSeed: REFEREE_SEED, seats: SEATS, ...cheat.seeds };
  tell(told.seen({ case: "ended", value: { seeds: shown } }));
  return { checked: follower.played.dealsChecked, fault: follower.played.dealFault };
}

function swap(one: number, other: number): (deck: number[]) => void {
  return (deck) => ([deck[one], deck[other]] = [deck[other] as number, deck[one] as number]);
}

test("the decks of a finished match are rebuilt from what it showed", () => {
  assert.deepEqual(found(), { checked: 2, fault: "" });
});

test("one swapped card is found, in the hole and on the board", () => {
  const hole = found({ deck: swap(3, 30) });
  assert.equal(hole.checked, 1);
  assert.match(hole.fault, /^hand 2: seat 1 was dealt .. .. .. .., not .. .. .. ..$/);
  const river = found({ deck: swap(12, 13) });
  assert.equal(river.checked, 1);
  assert.match(river.fault, /^hand 2: the board was .. .. .. .. .., not .. .. .. .. ..$/);
  assert.equal(found({ deck: swap(20, 30) }).fault, "", "a card that nobody was shown is bound by the root alone");
});

test("every other way of showing something else at the end is found", () => {
  const other = Buffer.alloc(32, 5);
  const withoutOwn = [{ seat: 1, seed: new Uint8Array(), commitment: SEATS[0]?.commitment as Uint8Array }, SEATS[1]];
  const recommitted = SEATS.map((one) => ({ ...one, commitment: other }));
  const faults: [Cheat, RegExp][] = [
    [{ commits: true }, /hand 2: the deck is not the one that was committed to before it/],
    [{ seeds: { refereeSeed: other } }, /the referee's seed is not the committed one/],
    [{ seeds: { seats: [SEATS[0], { ...SEATS[1], seed: other }] } }, /seat 2's seed is not the committed one/],
    [{ seeds: { matchName: "other" } }, /the seeds are those of match other, not fair/],
    [{ seeds: { seats: [] } }, /hands were dealt, and the seeds are not shown/],
    [{ seeds: { refereeSeed: other.subarray(1) } }, /31 bytes; expected 32/],
    [{ seats: [1, 2, 3] }, /other seats than when the commitments were closed/],
    [{ commitments: recommitted }, /seat 1 was committed to another seed when the commitments were closed/],
    [{ seeds: { seats: withoutOwn } }, /the own seed is not among those that were used/],
  ];
  for (const [cheat, message] of faults) assert.match(found(cheat).fault, message);
});
