/** Reads the vectors that all clients share; clients/vectors/README.md says what is in them. */

import { readFileSync } from "node:fs";
import { parseCards, type Action, type LegalOptions } from "../src/index.js";

const FOLDER = new URL("../../../vectors/", import.meta.url);

/** Every file there must be; a missing one fails its tests. */
export function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, FOLDER), "ascii")) as T;
}

/** Bytes of their hexadecimal text. */
export function bytes(text: string): Uint8Array {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error(`not hexadecimal: ${text}`);
  return Buffer.from(text, "hex");
}

export interface LegalVector {
  readonly seat: number;
  readonly decision_id: number;
  readonly can_fold: boolean;
  readonly can_check: boolean;
  readonly amount_to_call: number;
  readonly wager: "BET" | "RAISE" | "NONE";
  readonly min_raise_to: number;
  readonly max_raise_to: number;
  readonly raise_step: number;
  readonly cards_to_discard: number;
  readonly held_cards: readonly string[];
}

/** What is legal, as the SDK has it. */
export function optionsFrom(vector: LegalVector): LegalOptions {
  return {
    seat: vector.seat,
    decisionId: vector.decision_id,
    fold: vector.can_fold,
    check: vector.can_check,
    call: vector.amount_to_call,
    wager: vector.wager === "RAISE" ? "raise" : "bet",
    minTo: vector.min_raise_to,
    maxTo: vector.max_raise_to,
    step: vector.raise_step || 1,
    discard: vector.cards_to_discard,
    held: cardsFrom(vector.held_cards),
  };
}

export function cardsFrom(texts: readonly string[]): number[] {
  return parseCards(texts.join(""));
}

export interface ActionVector {
  readonly action: string;
  readonly to?: number;
  readonly cards?: readonly string[];
}

/** An action, as the SDK has it. */
export function actionFrom({ action, to, cards }: ActionVector): Action {
  switch (action) {
    case "bet":
    case "raise":
      return { kind: action, raiseTo: to as number };
    case "discard":
      return { kind: action, cards: cardsFrom(cards as readonly string[]) };
    case "fold":
    case "check":
    case "call":
      return { kind: action };
    default:
      throw new Error(`no action: ${action}`);
  }
}
