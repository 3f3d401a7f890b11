/** One hand in progress and the fold over its events, as far as a seat's decisions need it. */

import { DiscardVisibility, EventKind } from "./contract.js";
import { UNKNOWN } from "./cards.js";
import { BrokenStreamError } from "./errors.js";
import type { HandEvent } from "./events.js";
import { gameOf, type HandSetup } from "./rules.js";

export const STREET_NAMES = ["pre-flop", "flop", "turn", "river"] as const;

/** What is known of one player. `total` is what POT-1 counts, `bet` what is in on this street; amounts in chips. */
export interface PlayerState {
  readonly seat: number;
  stack: number;
  bet: number;
  total: number;
  live: boolean;
  hole: readonly number[];
  kept: readonly number[];
  discarded: readonly number[];
  hasDiscarded: boolean;
  shown: readonly number[];
}

/** A hand as it stands. Facts only: what is legal is the referee's to say. Events of unknown kinds change nothing. */
export class Hand {
  readonly players: readonly PlayerState[];
  dead = 0;
  level: number;
  street = 0;
  board: readonly number[] = [];
  joined: readonly number[] = [];
  discardsDone: boolean;
  over = false;

  constructor(readonly setup: HandSetup) {
    this.level = setup.stakes.bigBlind;
    this.discardsDone = gameOf(setup.ruleSet).discards === 0;
    this.players = setup.seats.map((seat, index) => ({
      seat,
      stack: setup.stacks[index] ?? 0,
      bet: 0,
      total: 0,
      live: true,
      hole: [],
      kept: [],
      discarded: [],
      hasDiscarded: false,
      shown: [],
    }));
  }

  /** The player at a seat; raises BrokenStreamError for a seat that was not dealt in. */
  at(seat: number): PlayerState {
    const player = this.players.find((one) => one.seat === seat);
    if (player === undefined) throw new BrokenStreamError(`seat ${seat} was not dealt in`);
    return player;
  }

  /** Every chip in the middle, this street's bets, antes and dead money included, until pots are awarded. */
  chipsIn(): number {
    return this.players.reduce((sum, player) => sum + player.total, this.dead);
  }

  /** Folds one event into the hand. */
  apply(event: HandEvent): void {
    const { amount, cards } = event;
    const player = (): PlayerState => this.at(event.seat);
    switch (event.kind) {
      case EventKind.ANTE_POSTED:
        player().stack -= amount;
        player().total += amount;
        break;
      case EventKind.DEAD_POSTED:
        player().stack -= amount;
        this.dead += amount;
        break;
      case EventKind.BLIND_POSTED:
      case EventKind.CALLED:
        this.pay(player(), amount);
        break;
      case EventKind.BET:
      case EventKind.RAISED:
        this.pay(player(), amount);
        this.level = event.streetTotal;
        break;
      case EventKind.BET_RETURNED:
        this.pay(player(), -amount);
        break;
      case EventKind.HOLE_DEALT:
        player().hole = player().kept = cards;
        break;
      case EventKind.FOLDED:
      case EventKind.LATE_FOLD_SHOWN:
        player().live = false;
        break;
      case EventKind.BOARD_DEALT:
        this.openStreet(cards);
        break;
      case EventKind.DISCARDED:
        player().discarded = cards;
        player().kept = without(player().hole, cards);
        player().hasDiscarded = true;
        break;
      case EventKind.DISCARD_SHOWN:
        if (gameOf(this.setup.ruleSet).discardVisibility === DiscardVisibility.JOINS_BOARD) {
          this.joined = [...this.joined, ...cards];
        }
        break;
      case EventKind.DISCARDS_CLOSED:
        this.discardsDone = true;
        break;
      case EventKind.HAND_SHOWN:
        player().shown = cards;
        break;
      case EventKind.POT_AWARDED:
        player().stack += amount;
        break;
      case EventKind.HAND_ENDED:
        this.over = true;
        break;
      default: // nothing that a decision shows
    }
  }

  private pay(player: PlayerState, amount: number): void {
    player.stack -= amount;
    player.bet += amount;
    player.total += amount;
  }

  private openStreet(cards: readonly number[]): void {
    this.board = [...this.board, ...cards];
    this.street += 1;
    this.level = 0;
    for (const player of this.players) player.bet = 0;
  }
}

/** The cards kept; a discard that is not among the known cards was one of the unknown ones. */
function without(hole: readonly number[], discards: readonly number[]): number[] {
  const kept = [...hole];
  for (const card of discards) {
    const at = kept.includes(card) ? kept.indexOf(card) : kept.indexOf(UNKNOWN);
    if (at < 0) throw new BrokenStreamError(`a discard of card ${card}, which was not dealt`);
    kept.splice(at, 1);
  }
  return kept;
}
