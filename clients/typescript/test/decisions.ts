/** Decisions for tests that need only a part of one. */

import { create } from "@bufbuild/protobuf";
import { AnteKind, BettingStructure, RuleSetSchema } from "../src/contract.js";
import { Decision, RULE_SETS, type DecisionFacts, type LegalOptions } from "../src/index.js";

export const NOTHING_LEGAL: LegalOptions = {
  seat: 1,
  decisionId: 1,
  fold: false,
  check: false,
  call: 0,
  wager: "bet",
  minTo: 0,
  maxTo: 0,
  step: 1,
  discard: 0,
  held: [],
};

/** A decision of a two-handed Irish hand with these facts. */
export function decisionWith(facts: Partial<DecisionFacts>, bigBlind = 10): Decision {
  const player = { name: "", stack: 1000, bet: 0, putIn: 0, live: true, allIn: false, discarded: false, shown: [] };
  return new Decision({
    tableId: "t",
    matchName: "m",
    handId: "t-1",
    handNumber: 1,
    seat: 1,
    ruleSet: RULE_SETS.get("irish/full-tilt@1") ?? create(RuleSetSchema),
    structure: BettingStructure.NO_LIMIT,
    stakes: {
      smallBlind: bigBlind / 2,
      bigBlind,
      smallBet: 0,
      bigBet: 0,
      anteKind: AnteKind.UNSPECIFIED,
      ante: 0,
      chipUnit: 1,
      rakeBasisPoints: 0,
      rakeCap: undefined,
      noFlopNoDrop: false,
    },
    buttonSeat: 1,
    smallBlindSeat: 1,
    bigBlindSeat: 2,
    street: 0,
    players: [
      { ...player, seat: 2 },
      { ...player, seat: 1 },
    ],
    hole: [],
    discarded: [],
    board: [],
    joined: [],
    pot: 0,
    level: 0,
    legal: NOTHING_LEGAL,
    remainingMs: undefined,
    events: [],
    refusal: undefined,
    ...facts,
  });
}
