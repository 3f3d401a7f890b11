/** A hand as one seat sees it: the fold over that seat's view of the events, hidden cards and all. */

import { EventKind } from "./contract.js";
import { UNKNOWN } from "./cards.js";
import { Decision, type Action, type LegalOptions, type PlayerView, type Refusal } from "./decision.js";
import type { HandEvent } from "./events.js";
import { Hand } from "./hand.js";
import { gameOf, type HandSetup } from "./rules.js";

/** What a view's decisions say of the table. */
export interface TableFacts {
  readonly tableId: string;
  readonly matchName: string;
  readonly names: ReadonlyMap<number, string>;
}

/** Folds a seat's events and makes its decisions. `seat` is whose cards the events tell, 0 before they are dealt. */
export class HandView {
  seat = 0;
  readonly events: HandEvent[] = [];
  readonly #hand: Hand;

  constructor(
    readonly setup: HandSetup,
    readonly number: number,
    readonly table: TableFacts = { tableId: "", matchName: "", names: new Map() },
  ) {
    this.#hand = new Hand(setup);
  }

  /** Takes the next event of the view. */
  fold(event: HandEvent): void {
    this.#hand.apply(event);
    this.events.push(event);
    if (event.kind === EventKind.HOLE_DEALT && !event.cards.includes(UNKNOWN)) this.seat = event.seat;
  }

  /** Whether everything is settled. */
  get over(): boolean {
    return this.#hand.over;
  }

  /** The board, discards that joined it last. */
  get board(): readonly number[] {
    return [...this.#hand.board, ...this.#hand.joined];
  }

  /** Every chip in the middle, until pots are awarded. */
  get pot(): number {
    return this.#hand.chipsIn();
  }

  /** The cards that the seat still holds. */
  get hole(): readonly number[] {
    return this.seat ? this.#hand.at(this.seat).kept : [];
  }

  /** A seat's chips now. */
  stackOf(seat: number): number {
    return this.#hand.at(seat).stack;
  }

  /** What a seat has won or lost in this hand so far, in chips. */
  netOf(seat: number): number {
    return this.stackOf(seat) - (this.setup.stacks[this.setup.seats.indexOf(seat)] ?? 0);
  }

  /** The players dealt in, clockwise from the left of the button. */
  players(): PlayerView[] {
    const hand = this.#hand;
    const everybodyHas = hand.discardsDone && gameOf(this.setup.ruleSet).discards > 0;
    return hand.players.map((player) => ({
      seat: player.seat,
      name: this.table.names.get(player.seat) ?? "",
      stack: player.stack,
      bet: player.bet,
      putIn: player.total,
      live: player.live,
      allIn: player.live && player.stack === 0,
      discarded: player.hasDiscarded || (everybodyHas && player.live),
      shown: player.shown,
    }));
  }

  /** The open decision of the seat that the options are for. */
  decision(legal: LegalOptions, remainingMs?: number, refusal?: Refusal): Decision {
    const { setup } = this;
    const hand = this.#hand;
    const player = hand.at(legal.seat);
    return new Decision({
      tableId: this.table.tableId,
      matchName: this.table.matchName,
      handId: setup.handId,
      handNumber: this.number,
      seat: legal.seat,
      ruleSet: setup.ruleSet,
      structure: setup.structure,
      stakes: setup.stakes,
      buttonSeat: setup.buttonSeat,
      smallBlindSeat: setup.smallBlindSeat,
      bigBlindSeat: setup.bigBlindSeat,
      street: hand.street,
      players: this.players(),
      hole: player.kept,
      discarded: player.discarded,
      board: this.board,
      joined: hand.joined,
      pot: hand.chipsIn(),
      level: hand.level,
      legal,
      remainingMs,
      events: [...this.events],
      refusal,
    });
  }

  /** Proposes to turn up one's hand after it is over (SHOW-2, SHOW-7). */
  show(): Action {
    return { kind: "show" };
  }
}
