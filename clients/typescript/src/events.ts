/** What happens in a hand, as a seat sees it. */

import { EventKind, type Event } from "./contract.js";
import { parseCard } from "./cards.js";
import { BrokenStreamError } from "./errors.js";
import { toNumber } from "./numbers.js";

/**
 * One thing that happened; amounts in chips. `rule` decided it, `seat` 0 is the table, `streetTotal` is the seat's
 * total on the street after a post, call or wager. Cards that one may not see are -1.
 */
export interface HandEvent {
  readonly kind: EventKind;
  readonly rule: string;
  readonly seat: number;
  readonly amount: number;
  readonly streetTotal: number;
  readonly cards: readonly number[];
  readonly pot: number;
  readonly allIn: boolean;
  readonly automatic: boolean;
}

/** An event of the contract, or undefined for a kind that this version does not know. */
export function eventOf(message: Event): HandEvent | undefined {
  if (message.kind === EventKind.UNSPECIFIED || EventKind[message.kind] === undefined) return undefined;
  return {
    kind: message.kind,
    rule: message.rule,
    seat: message.seat,
    amount: toNumber(message.amount),
    streetTotal: toNumber(message.streetTotal),
    cards: cardsOf(message.cards),
    pot: message.pot,
    allIn: message.allIn,
    automatic: message.automatic,
  };
}

/** A message's cards; raises BrokenStreamError for a text that is no card. */
export function cardsOf(texts: readonly string[]): number[] {
  try {
    return texts.map(parseCard);
  } catch (error) {
    throw new BrokenStreamError((error as RangeError).message);
  }
}
