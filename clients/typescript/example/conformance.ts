/** What `referee conformance` asks of a bot program: the name of the table's match says what to do. */

import type { Action, Decision } from "../src/index.js";
import { plain } from "./plain.js";

const WISH = /^conformance\.([^.]*)/;

/** Does at each decision what the match's name wishes; a match of another name is played like any. */
export function conformance(decision: Decision): Action {
  const wish = WISH.exec(decision.matchName)?.[1];
  if (wish === undefined) return plain(decision);
  if (decision.mustDiscard)
    return firstCards(decision, wish === "wrong-discard" ? wrongCount(decision) : decision.mustDiscard);
  return (WISHES.get(wish) ?? checkOrCall)(decision);
}

function checkOrCall(decision: Decision): Action {
  return decision.checkOrCall();
}

/** What is wished for besides `check-or-call`. */
const WISHES: ReadonlyMap<string, (decision: Decision) => Action> = new Map([
  ["check-or-fold", (decision) => decision.checkOrFold()],
  ["min-raise", (decision) => decision.betOrRaise(0)],
  ["max-raise", (decision) => decision.allInOrCall()],
  ["all-in", (decision) => decision.allInOrCall()],
  ["bet-pot", (decision) => decision.betPot()],
  ["refused-first", refusedFirst],
]);

function refusedFirst(decision: Decision): Action {
  if (decision.refusal !== undefined) return decision.checkOrCall();
  return decision.raiseTo(decision.stack + decision.level + 1); // more than anybody has
}

function firstCards(decision: Decision, count: number): Action {
  return decision.discard(decision.legal.held.slice(0, count));
}

/** At first one card fewer than is asked for, or one more where that would be none. */
function wrongCount({ mustDiscard, refusal }: Decision): number {
  if (refusal !== undefined) return mustDiscard;
  return mustDiscard > 1 ? mustDiscard - 1 : mustDiscard + 1;
}
