/**
 * A simple strategy for Irish and its kin, the same in every language: clients/vectors/strategy.json fixes its answers.
 */

import { rankOf, suitOf, type Action, type Decision } from "../src/index.js";

const ACE = 12;
const TEN = 8;

/** Answers one decision. */
export function plain(decision: Decision): Action {
  if (decision.mustDiscard) return decision.discard(worst(decision.legal.held, decision.board, decision.mustDiscard));
  return decision.board.length ? afterFlop(decision) : beforeFlop(decision);
}

// --- discards -------------------------------------------------------------------------------------------

/** The cards to give up: all but the kept ones with the highest score, the first of equals. */
function worst(held: readonly number[], board: readonly number[], count: number): number[] {
  let best: readonly number[] = [];
  let bestScore = -1;
  for (const kept of choices(held, held.length - count)) {
    const score = scoreOf(kept, board);
    if (score > bestScore) [best, bestScore] = [kept, score];
  }
  return held.filter((card) => !best.includes(card));
}

/** Every choice of so many cards, in the lexicographic order of their positions. */
function* choices(cards: readonly number[], count: number): Generator<number[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (let at = 0; at + count <= cards.length; at += 1) {
    for (const rest of choices(cards.slice(at + 1), count - 1)) yield [cards[at] as number, ...rest];
  }
}

function scoreOf(kept: readonly number[], board: readonly number[]): number {
  const boardRanks = new Set(board.map(rankOf));
  let score = 0;
  kept.forEach((card, at) => {
    const rank = rankOf(card);
    score += rank;
    score += kept.slice(at + 1).filter((other) => rankOf(other) === rank).length * (60 + rank);
    if (boardRanks.has(rank)) score += 40 + rank;
  });
  const suits = new Set(kept.map(suitOf));
  if (suits.size === 1 && board.filter((card) => suits.has(suitOf(card))).length >= 2) score += 50;
  return score;
}

// --- betting --------------------------------------------------------------------------------------------

function beforeFlop(decision: Decision): Action {
  const { hole, level, bigBlind, toCall } = decision;
  if (!isGood(hole)) return toCall <= 2 * bigBlind ? decision.checkOrCall() : decision.checkOrFold();
  return level <= bigBlind ? decision.betOrRaise(3 * bigBlind) : decision.checkOrCall();
}

/** Two hole cards of one rank from tens on, or an ace with another card of its suit. */
function isGood(hole: readonly number[]): boolean {
  return hole.some((card, at) =>
    hole.some((other, otherAt) => {
      if (at === otherAt) return false;
      const isPair = rankOf(card) === rankOf(other) && rankOf(card) >= TEN;
      return isPair || (rankOf(card) === ACE && suitOf(card) === suitOf(other));
    }),
  );
}

function afterFlop(decision: Decision): Action {
  const { hole, board, level, pot, toCall } = decision;
  const boardRanks = new Set(board.map(rankOf));
  const matching = hole.filter((card) => boardRanks.has(rankOf(card))).length;
  const matches = matching + (new Set(hole.map(rankOf)).size < hole.length ? 1 : 0);
  if (matches >= 2) return level === 0 ? decision.betPot(75) : decision.checkOrCall();
  if (matches === 1) return 2 * toCall <= pot ? decision.checkOrCall() : decision.checkOrFold();
  return drawsToFlush(hole, board) && 4 * toCall <= pot ? decision.checkOrCall() : decision.checkOrFold();
}

function drawsToFlush(hole: readonly number[], board: readonly number[]): boolean {
  if (board.length >= 5) return false;
  return hole.some((card) => [...hole, ...board].filter((other) => suitOf(other) === suitOf(card)).length >= 4);
}
