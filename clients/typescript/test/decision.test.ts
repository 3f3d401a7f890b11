import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { EventKind, PlayResponseItemSchema, type PlayResponseItem } from "../src/contract.js";
import { cardText, Follower, type Decision, type Outcome } from "../src/index.js";
import { plain } from "../example/plain.js";
import { conformance } from "../example/conformance.js";
import { decisionWith, NOTHING_LEGAL } from "./decisions.js";
import { Told } from "./told.js";
import { actionFrom, bytes, cardsFrom, optionsFrom, read, type ActionVector, type LegalVector } from "./vectors.js";

// --- helpers --------------------------------------------------------------------------------------------

interface LegalCases {
  readonly cases: readonly {
    readonly table: string;
    readonly level: number;
    readonly pot: number;
    readonly legal: LegalVector;
    readonly answers: {
      readonly raise_to: readonly (ActionVector & { readonly total: number })[];
      readonly bet_or_raise: readonly (ActionVector & { readonly total: number })[];
      readonly bet_pot: readonly (ActionVector & { readonly percent: number })[];
      readonly discard_last: ActionVector | null;
    } & Record<"fold" | "check" | "call" | "check_or_fold" | "check_or_call" | "all_in_or_call", ActionVector>;
  }[];
}

test("vectors: helpers propose what is legal, by exact arithmetic", () => {
  const { cases } = read<LegalCases>("legal.json");
  assert.ok(cases.length);
  for (const { legal, level, pot, answers, table } of cases) {
    const decision = decisionWith({ legal: optionsFrom(legal), level, pot });
    const check = (action: unknown, vector: ActionVector, what: string): void =>
      assert.deepEqual(
        action,
        actionFrom(vector),
        `${table}: ${what} of ${JSON.stringify(legal)} level ${level} pot ${pot}`,
      );
    check(decision.fold(), answers.fold, "fold");
    check(decision.check(), answers.check, "check");
    check(decision.call(), answers.call, "call");
    check(decision.checkOrFold(), answers.check_or_fold, "checkOrFold");
    check(decision.checkOrCall(), answers.check_or_call, "checkOrCall");
    check(decision.allInOrCall(), answers.all_in_or_call, "allInOrCall");
    if (answers.discard_last !== null) check(decision.discardLast(), answers.discard_last, "discardLast");
    for (const vector of answers.raise_to) check(decision.raiseTo(vector.total), vector, `raiseTo ${vector.total}`);
    for (const vector of answers.bet_or_raise)
      check(decision.betOrRaise(vector.total), vector, `betOrRaise ${vector.total}`);
    for (const vector of answers.bet_pot) check(decision.betPot(vector.percent), vector, `betPot ${vector.percent}`);
  }
});

test("a part of the pot is exact where numbers would round", () => {
  const legal = { ...NOTHING_LEGAL, check: true, minTo: 1, maxTo: 2 ** 53, step: 1 };
  // 75 percent of 2^53 - 1, rounded down, is 2^53 - 1 - 2^51; doubles lose the last digits of the product.
  const decision = decisionWith({ legal, pot: 2 ** 53 - 1 });
  assert.deepEqual(decision.betPot(75), { kind: "bet", raiseTo: Number(((2n ** 53n - 1n) * 75n) / 100n) });
  assert.deepEqual(decision.betPot(77), { kind: "bet", raiseTo: Number(((2n ** 53n - 1n) * 77n) / 100n) });
  assert.deepEqual(decisionWith({ legal, pot: 10, level: 0 }).betPot(-15), { kind: "bet", raiseTo: 1 });
});

test("a helper refuses what is no amount, and moves any other total into the legal range", () => {
  const decision = decisionWith({
    legal: { ...NOTHING_LEGAL, fold: true, call: 5, wager: "raise", minTo: 20, maxTo: 95, step: 10 },
    level: 10,
  });
  assert.throws(() => decision.raiseTo(10.5), RangeError);
  assert.throws(() => decision.betOrRaise(Number.NaN), RangeError);
  assert.throws(() => decision.betPot(0.5), RangeError);
  const totals = [-Infinity, 25.5, 30, 94.9, Infinity].map((total) => decision.betOrRaise(total));
  assert.deepEqual(
    totals.map((action) => "raiseTo" in action && action.raiseTo),
    [20, 20, 30, 90, 95],
  );
});

// --- strategies -----------------------------------------------------------------------------------------

interface StrategyCases {
  readonly cases: readonly {
    readonly table: string;
    readonly big_blind: number;
    readonly hole: readonly string[];
    readonly board: readonly string[];
    readonly pot: number;
    readonly level: number;
    readonly legal: LegalVector;
    readonly answer: ActionVector;
  }[];
}

test("vectors: the example bot answers as the bots of other languages do", () => {
  const { cases } = read<StrategyCases>("strategy.json");
  assert.ok(cases.length);
  for (const one of cases) {
    const { pot, level } = one;
    const [hole, board] = [cardsFrom(one.hole), cardsFrom(one.board)];
    const decision = decisionWith({ legal: optionsFrom(one.legal), hole, board, pot, level }, one.big_blind);
    assert.deepEqual(plain(decision), actionFrom(one.answer), JSON.stringify(one));
  }
});

test("the conformance bot does what the match's name wishes, and plays other matches", () => {
  const betting = { ...NOTHING_LEGAL, fold: true, call: 10, wager: "raise", minTo: 20, maxTo: 500, step: 1 } as const;
  const act = (wish: string, facts = {}): unknown =>
    conformance(decisionWith({ matchName: wish, legal: betting, level: 10, pot: 30, ...facts }));
  const raise = (raiseTo: number): unknown => ({ kind: "raise", raiseTo });
  assert.deepEqual(act("conformance.check-or-call"), { kind: "call" });
  assert.deepEqual(act("conformance.check-or-fold.2"), { kind: "fold" });
  assert.deepEqual(act("conformance.min-raise.17"), raise(20));
  assert.deepEqual(act("conformance.max-raise"), raise(500));
  assert.deepEqual(act("conformance.all-in"), raise(500));
  assert.deepEqual(act("conformance.bet-pot"), raise(50));
  assert.deepEqual(act("conformance.refused-first"), raise(1011));
  const refusal = { reason: undefined, reasonName: "", rule: "", message: "", legal: undefined };
  assert.deepEqual(act("conformance.refused-first", { refusal }), { kind: "call" });
  assert.deepEqual(act("conformance.min-raise", { legal: { ...betting, minTo: 0, maxTo: 0 } }), { kind: "call" });
  const owing = (discard: number): unknown => ({ legal: { ...NOTHING_LEGAL, discard, held: [3, 2, 1, 0] } });
  const cards = (...cards: number[]): unknown => ({ kind: "discard", cards });
  assert.deepEqual(act("conformance.all-in", owing(2) as object), cards(3, 2));
  assert.deepEqual(act("conformance.wrong-discard", owing(2) as object), cards(3));
  assert.deepEqual(act("conformance.wrong-discard", owing(1) as object), cards(3, 2));
  assert.deepEqual(act("conformance.wrong-discard", { ...(owing(2) as object), refusal }), cards(3, 2));
  assert.deepEqual(act("spring"), plain(decisionWith({ legal: betting, level: 10, pot: 30 })));
});

// --- hands as a seat is told them -----------------------------------------------------------------------

interface Views {
  readonly hands: readonly {
    readonly table: string;
    readonly seat: number;
    readonly snapshot: string;
    readonly items: readonly string[];
    readonly decisions: readonly {
      readonly after_items: number;
      readonly item: string;
      readonly view: Record<string, unknown>;
    }[];
    readonly stacks_after: readonly { readonly seat: number; readonly stack: number }[];
  }[];
}

function seen(decision: Decision): Record<string, unknown> {
  const { legal } = decision;
  const texts = (cards: readonly number[]): string[] => cards.map(cardText);
  return {
    street: decision.street,
    hole: texts(decision.hole),
    discarded: texts(decision.discarded),
    board: texts(decision.board),
    joined: texts(decision.joined),
    pot: decision.pot,
    level: decision.level,
    to_call: decision.toCall,
    must_discard: decision.mustDiscard,
    button_seat: decision.buttonSeat,
    small_blind_seat: decision.smallBlindSeat,
    big_blind_seat: decision.bigBlindSeat,
    acts_last: decision.actsLast,
    legal: {
      seat: legal.seat,
      decision_id: legal.decisionId,
      can_fold: legal.fold,
      can_check: legal.check,
      amount_to_call: legal.call,
      wager: legal.maxTo ? legal.wager.toUpperCase() : "NONE",
      min_raise_to: legal.minTo,
      max_raise_to: legal.maxTo,
      raise_step: legal.maxTo ? legal.step : 0,
      cards_to_discard: legal.discard,
      held_cards: texts(legal.held),
    },
    players: decision.players.map(({ putIn, allIn, shown, ...player }) => ({
      ...player,
      put_in: putIn,
      all_in: allIn,
      shown: texts(shown),
    })),
  };
}

test("vectors: the fold over what a seat is told makes the decisions that it gets, unknown events or not", () => {
  const { hands } = read<Views>("views.json");
  assert.ok(hands.length);
  for (const { table, seat, snapshot, items, decisions, stacks_after } of hands) {
    const started = (): { follower: Follower; tell: (item: string) => Outcome[] } => {
      const follower = new Follower("harness", "token", { now: () => 0 });
      const tell = (item: string): Outcome[] => follower.receive(fromBinary(PlayResponseItemSchema, bytes(item)));
      tell(snapshot);
      return { follower, tell };
    };
    for (const { after_items, item, view } of decisions) {
      const { tell } = started();
      items.slice(0, after_items).forEach(tell);
      const [outcome] = tell(item);
      assert.equal(outcome?.type, "ask", table);
      const { decision } = outcome as Extract<Outcome, { type: "ask" }>;
      assert.deepEqual(seen(decision), view, `${table}, seat ${seat}, after ${after_items} items`);
    }
    const { follower, tell } = started();
    items.forEach(tell);
    for (const after of stacks_after)
      assert.equal(follower.view?.stackOf(after.seat), after.stack, `${table}: seat ${after.seat}`);
  }
});

test("a fold that was hidden while discards were made is seen when it is shown", () => {
  const told = new Told("harness");
  const follower = new Follower("harness", "token", { now: () => 0 });
  const tell = (...items: PlayResponseItem[]): Outcome[] => items.flatMap((item) => follower.receive(item));
  tell(told.snapshot(), ...told.begun());
  const live = (): (boolean | undefined)[] => follower.view?.players().map((player) => player.live) ?? [];
  assert.deepEqual(live(), [true, true]);
  tell(told.happened({ kind: EventKind.DISCARDED, seat: 1, cards: ["2c", "3c"] }));
  tell(told.happened({ kind: EventKind.LATE_FOLD_SHOWN, seat: 2 }), told.happened({ kind: EventKind.DISCARDS_CLOSED }));
  assert.deepEqual(live(), [false, true]);
  assert.deepEqual(
    follower.view?.players().map((player) => player.discarded),
    [false, true],
  );
  assert.deepEqual(follower.view?.hole, [8, 12]);
});
