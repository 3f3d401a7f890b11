/** What a bot is asked and what it may answer. */

import type {
  BettingStructure,
  Game,
  LegalOptions as LegalOptionsMessage,
  Reason,
  RuleSet,
  Ruling,
} from "./contract.js";
import { Reason as Reasons, WagerKind } from "./contract.js";
import { cardsText, parseCards } from "./cards.js";
import { cardsOf, type HandEvent } from "./events.js";
import { STREET_NAMES } from "./hand.js";
import { toNumber } from "./numbers.js";
import { gameOf, type Stakes } from "./rules.js";

/** What a seat wants to do. Every wager names the street total that it raises to, never an increment. */
export type Action =
  | { readonly kind: "fold" }
  | { readonly kind: "check" }
  | { readonly kind: "call" }
  | { readonly kind: "bet"; readonly raiseTo: number }
  | { readonly kind: "raise"; readonly raiseTo: number }
  | { readonly kind: "discard"; readonly cards: readonly number[] }
  | { readonly kind: "show" };

/** A bot is one function from a decision to an action, at once or later; `signal` is aborted when the play ends. */
export type Bot = (decision: Decision, signal: AbortSignal) => Action | Promise<Action>;

/**
 * Everything that a seat may do at its open decision; amounts in chips.
 *
 * `call` is what calling adds, 0 when there is nothing to call. A wager goes to any street total from `minTo` to
 * `maxTo` in steps of `step`; both are 0 when none is legal, and equal when one size is. `discard` is the number of
 * cards owed out of `held`, and then nothing else is legal.
 */
export interface LegalOptions {
  readonly seat: number;
  readonly decisionId: number;
  readonly fold: boolean;
  readonly check: boolean;
  readonly call: number;
  readonly wager: "bet" | "raise";
  readonly minTo: number;
  readonly maxTo: number;
  readonly step: number;
  readonly discard: number;
  readonly held: readonly number[];
}

/** Why an answer was refused. `reason` is undefined where a newer server gives one that this version does not know. */
export interface Refusal {
  readonly reason: Reason | undefined;
  /** The reason's name, such as `BELOW_MINIMUM`; empty where it is not known. */
  readonly reasonName: string;
  readonly rule: string;
  readonly message: string;
  /** What would be legal, if the seat has a decision. */
  readonly legal: LegalOptions | undefined;
}

/**
 * A player of the hand as everybody sees him; amounts in chips.
 *
 * `bet` is what he has in on this street, `putIn` what he has in altogether, dead money not counted. `live` players
 * have not folded; `allIn` ones are live without chips. `discarded` says whether his discard is known to be made.
 */
export interface PlayerView {
  readonly seat: number;
  readonly name: string;
  readonly stack: number;
  readonly bet: number;
  readonly putIn: number;
  readonly live: boolean;
  readonly allIn: boolean;
  readonly discarded: boolean;
  readonly shown: readonly number[];
}

/** What a decision is made of; see `Decision`. */
export interface DecisionFacts {
  readonly tableId: string;
  /** The match's name in the derivation of the deals. */
  readonly matchName: string;
  readonly handId: string;
  readonly handNumber: number;
  readonly seat: number;
  readonly ruleSet: RuleSet;
  readonly structure: BettingStructure;
  readonly stakes: Stakes;
  readonly buttonSeat: number;
  readonly smallBlindSeat: number;
  readonly bigBlindSeat: number;
  /** 0 pre-flop to 3 river. */
  readonly street: number;
  /** Clockwise from the left of the button, so that the one who acts last after the flop comes last. */
  readonly players: readonly PlayerView[];
  /** The cards still held, in the order in which they were dealt. */
  readonly hole: readonly number[];
  /** The cards given up already. */
  readonly discarded: readonly number[];
  /** All that counts for everybody, `joined` last. */
  readonly board: readonly number[];
  /** Discards that count for everybody (GAME-3). */
  readonly joined: readonly number[];
  /** Every chip in the middle. */
  readonly pot: number;
  /** The street total to match. */
  readonly level: number;
  readonly legal: LegalOptions;
  /** What is left of the time, bank included; undefined where there is no clock. */
  readonly remainingMs: number | undefined;
  /** The hand so far as this seat sees it, cards that it may not see as -1. */
  readonly events: readonly HandEvent[];
  /** Why this seat's last answer to this same decision was refused, when it was. */
  readonly refusal: Refusal | undefined;
}

/**
 * One open decision of one seat, with all that the seat may know. Amounts in chips, cards as small integers.
 *
 * Methods that name an action (`call`, `raiseTo`) propose it whether it is legal or not; those with `Or` in their
 * names, `betPot` and `discardLast` propose only what is legal. Where a discard is owed these discard the cards dealt
 * last.
 */
export interface Decision extends DecisionFacts {}
export class Decision {
  constructor(facts: DecisionFacts) {
    Object.assign(this, facts);
  }

  // --- what there is to know ----------------------------------------------------------------------------

  /** The game as data: hole cards, discards, when, and what becomes of them. */
  get game(): Game {
    return gameOf(this.ruleSet);
  }

  /** How many cards are to be discarded now; 0 in a betting round. */
  get mustDiscard(): number {
    return this.legal.discard;
  }

  /** What calling adds; 0 when there is nothing to call. */
  get toCall(): number {
    return this.legal.call;
  }

  /** `pre-flop`, `flop`, `turn` or `river`. */
  get streetName(): string {
    return STREET_NAMES[this.street] ?? "";
  }

  /** The big blind, in chips. */
  get bigBlind(): number {
    return this.stakes.bigBlind;
  }

  /** This seat's player. */
  get me(): PlayerView {
    const found = this.players.find((player) => player.seat === this.seat);
    if (found === undefined) throw new RangeError(`seat ${this.seat} was not dealt in`);
    return found;
  }

  /** This seat's chips, what is in the middle not included. */
  get stack(): number {
    return this.me.stack;
  }

  /** The other live players, clockwise from the left of the button. */
  get opponents(): readonly PlayerView[] {
    return this.players.filter((player) => player.live && player.seat !== this.seat);
  }

  /** Whether no other player with chips acts after this seat on the rounds after the flop. */
  get actsLast(): boolean {
    return this.players.findLast((player) => player.live && !player.allIn)?.seat === this.seat;
  }

  /** The cards still held, such as `Ah Kd`. */
  get holeText(): string {
    return cardsText(this.hole);
  }

  /** The board, such as `5h 7d 9h`. */
  get boardText(): string {
    return cardsText(this.board);
  }

  // --- actions by name ----------------------------------------------------------------------------------

  /** Proposes to fold. */
  fold(): Action {
    return { kind: "fold" };
  }

  /** Proposes to check. */
  check(): Action {
    return { kind: "check" };
  }

  /** Proposes to call, with all chips if they are fewer. */
  call(): Action {
    return { kind: "call" };
  }

  /**
   * Proposes to lift the level to this street total: a bet where there is none yet, else a raise (BET-2). Raises
   * RangeError for what is no whole number of chips.
   */
  raiseTo(total: number): Action {
    if (!Number.isInteger(total)) throw new RangeError(`${total} is not a whole number of chips`);
    return { kind: this.level ? "raise" : "bet", raiseTo: total };
  }

  /** Proposes to discard these cards, given as integers or as text such as `"9h 9c"`. */
  discard(cards: Iterable<number> | string): Action {
    return { kind: "discard", cards: typeof cards === "string" ? parseCards(cards) : [...cards] };
  }

  // --- only what is legal -------------------------------------------------------------------------------

  /** Checks if nothing is owed, else folds. */
  checkOrFold(): Action {
    if (this.legal.discard) return this.discardLast();
    return this.legal.check ? this.check() : this.fold();
  }

  /** Checks if nothing is owed, else calls. */
  checkOrCall(): Action {
    if (this.legal.discard) return this.discardLast();
    return this.legal.check ? this.check() : this.call();
  }

  /**
   * Lifts the level to the legal street total nearest below `total`, or to the lowest one. Checks or calls where no
   * wager is legal. Raises RangeError for NaN.
   */
  betOrRaise(total: number): Action {
    if (Number.isNaN(total)) throw new RangeError("NaN is not a number of chips");
    const { wager, minTo, maxTo, step } = this.legal;
    if (!maxTo) return this.checkOrCall();
    if (total >= maxTo) return { kind: wager, raiseTo: maxTo };
    const above = Math.max(0, total - minTo);
    return { kind: wager, raiseTo: minTo + (above - (above % step)) };
  }

  /**
   * Bets or raises by so many percent of the pot as it is after calling, as near as is legal. `percent` is a whole
   * number; raises RangeError for others.
   */
  betPot(percent = 100): Action {
    // Beyond 2^53 a number would round.
    const part = (BigInt(this.pot) + BigInt(this.legal.call)) * BigInt(percent);
    const total = BigInt(this.level) + floorDivide(part, 100n);
    return this.betOrRaise(Number(total));
  }

  /** Puts in as much as the betting structure allows; checks or calls where no wager is legal. */
  allInOrCall(): Action {
    return this.betOrRaise(this.legal.maxTo);
  }

  /** Discards the cards dealt last, which is what the referee does for a seat out of time (DISC-8). */
  discardLast(): Action {
    const { held, discard } = this.legal;
    return { kind: "discard", cards: held.slice(held.length - discard) };
  }
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** What is legal, from the contract's message. */
export function optionsOf(message: LegalOptionsMessage): LegalOptions {
  const maxTo = toNumber(message.maxRaiseTo);
  return {
    seat: message.seat,
    decisionId: message.decisionId,
    fold: message.canFold,
    check: message.canCheck,
    call: toNumber(message.amountToCall),
    wager: message.wager === WagerKind.RAISE ? "raise" : "bet",
    minTo: toNumber(message.minRaiseTo),
    maxTo,
    step: maxTo ? toNumber(message.raiseStep) || 1 : 1,
    discard: message.cardsToDiscard,
    held: cardsOf(message.heldCards),
  };
}

/** A refusal, from the contract's ruling. */
export function refusalOf(message: Ruling): Refusal {
  const name = message.reason === Reasons.UNSPECIFIED ? undefined : Reasons[message.reason];
  return {
    reason: name === undefined ? undefined : message.reason,
    reasonName: name ?? "",
    rule: message.rule,
    message: message.message,
    legal: message.legal === undefined ? undefined : optionsOf(message.legal),
  };
}
