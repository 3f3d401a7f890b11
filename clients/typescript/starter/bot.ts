/** My bot: one function from a decision to an action. */

import { rankOf, runBots, type Action, type Decision } from "irish-referee-client";

function bot(decision: Decision): Action {
  const ranks = new Set(decision.hole.map(rankOf)); // 0 is the deuce, 12 the ace
  if (decision.mustDiscard) {
    // Keeps the highest cards. Only exactly so many, and only cards that are held, may be discarded.
    const lowestFirst = [...decision.legal.held].sort((one, other) => rankOf(one) - rankOf(other));
    return decision.discard(lowestFirst.slice(0, decision.mustDiscard));
  }
  const hits = decision.board.filter((card) => ranks.has(rankOf(card))).length;
  if (hits >= 2) return decision.betPot(75);
  return decision.toCall <= decision.bigBlind || hits === 1 ? decision.checkOrCall() : decision.checkOrFold();
}

process.exitCode = await runBots({ bot });
