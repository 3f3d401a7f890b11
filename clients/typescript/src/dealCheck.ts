/**
 * A player's own check of the deals: from what the referee published before, when the seeds are shown at the end.
 *
 * docs/fair-deals.md says what this proves, and what it does not.
 */

import {
  EventKind,
  type CommitmentsClosed,
  type MatchSeeds as MatchSeedsMessage,
  type TableOpened,
} from "./contract.js";
import { cardsText, UNKNOWN } from "./cards.js";
import { DealError, FairDecks, MatchSeeds } from "./deals.js";
import type { HandView } from "./handView.js";
import { sameBytes } from "./merkle.js";
import { BOARD_CARDS, gameOf, type HandSetup } from "./rules.js";

/** How many hands of a match are kept for the check: the newest. */
export const MAX_HANDS = 20_000;

/** What a seat saw of a hand's cards, and what was published before it. */
export interface DealtHand {
  readonly deckRoot: Uint8Array;
  readonly setup: HandSetup;
  readonly holes: readonly { readonly seat: number; readonly cards: readonly number[] }[];
  readonly board: readonly number[];
}

/**
 * What one seat of a table was shown of its deals. `checked` counts the hands whose decks were found to be those that
 * the seeds make; `fault` says what was wrong first, empty when nothing was.
 */
export class DealCheck {
  checked = 0;
  fault = "";
  #opened: TableOpened | undefined;
  #closed: CommitmentsClosed | undefined;
  readonly #roots = new Map<number, Uint8Array>();
  readonly #hands = new Map<number, DealtHand>();

  /** `seed` is the seat's own, empty for none. */
  constructor(private readonly seed: Uint8Array) {}

  /** Keeps the referee's commitment. */
  opened(opened: TableOpened): void {
    this.#opened = opened;
  }

  /** Keeps everybody's commitments. */
  closed(closed: CommitmentsClosed): void {
    this.#closed = closed;
  }

  /** Keeps what commits to the deck of the hand that begins. */
  began(number: number, deckRoot: Uint8Array): void {
    this.#roots.clear();
    if (deckRoot.length) this.#roots.set(number, deckRoot); // no root: the host gave the cards
  }

  /** Keeps the cards that were seen of a hand that is over. */
  over(view: HandView): void {
    const deckRoot = this.#roots.get(view.number);
    if (deckRoot === undefined) return;
    const holes = view.events.filter((event) => event.kind === EventKind.HOLE_DEALT && !event.cards.includes(UNKNOWN));
    const board = view.events.filter((event) => event.kind === EventKind.BOARD_DEALT).flatMap((event) => event.cards);
    this.#hands.set(view.number, { deckRoot, setup: view.setup, holes, board });
    if (this.#hands.size > MAX_HANDS) {
      const [oldest] = this.#hands.keys();
      this.#hands.delete(oldest as number);
    }
  }

  /** Checks all hands by the seeds that are shown now; without what was published before nothing is checked. */
  ended(shown: MatchSeedsMessage | undefined): void {
    if (this.#opened === undefined || this.#closed === undefined) return;
    try {
      if (shown === undefined || !shown.seats.length) {
        if (this.#hands.size) throw new DealError("hands were dealt, and the seeds are not shown");
        return;
      }
      const decks = new FairDecks(shown.matchName, this.checkedSeeds(this.#opened, this.#closed, shown).matchSeed());
      for (const [number, dealt] of this.#hands) {
        checkHand(decks, number, dealt);
        this.checked += 1;
      }
    } catch (error) {
      if (!(error instanceof DealError)) throw error;
      this.fault = error.message;
    }
  }

  private checkedSeeds(opened: TableOpened, closed: CommitmentsClosed, shown: MatchSeedsMessage): MatchSeeds {
    const seeds = new MatchSeeds(shown.matchName, shown.refereeSeed, shown.seats);
    if (shown.matchName !== opened.matchName) {
      throw new DealError(`the seeds are those of match ${shown.matchName}, not ${opened.matchName}`);
    }
    seeds.check(opened.dealCommitment);
    const published = new Map(closed.commitments.map((one) => [one.seat, one.commitment]));
    if (seeds.seats.map((one) => one.seat).join() !== closed.seats.join()) {
      throw new DealError("the match has other seats than when the commitments were closed");
    }
    for (const { seat, commitment } of seeds.seats) {
      if (!sameBytes(commitment, published.get(seat) ?? new Uint8Array())) {
        throw new DealError(`seat ${seat} was committed to another seed when the commitments were closed`);
      }
    }
    const isOwn = (one: { seat: number; seed: Uint8Array }): boolean =>
      sameBytes(one.seed, this.seed) && (published.get(one.seat)?.length ?? 0) > 0;
    if (this.seed.length && !seeds.seats.some(isOwn))
      throw new DealError("the own seed is not among those that were used");
    return seeds;
  }
}

/** Checks what was seen of a hand against its deck; raises DealError. */
export function checkHand(decks: FairDecks, number: number, dealt: DealtHand): void {
  const { deck, root } = decks.committed(0n, BigInt(number));
  if (!sameBytes(root, dealt.deckRoot))
    throw new DealError(`hand ${number}: the deck is not the one that was committed to before it`);
  const { seats } = dealt.setup;
  const holeCards = gameOf(dealt.setup.ruleSet).holeCards;
  const first = seats.length * holeCards;
  for (const { seat, cards } of dealt.holes) {
    // One card at a time, clockwise (DEAL-1).
    const right = deck.slice(0, first).filter((_, position) => position % seats.length === seats.indexOf(seat));
    if (cards.join() !== right.join()) {
      throw new DealError(`hand ${number}: seat ${seat} was dealt ${cardsText(cards)}, not ${cardsText(right)}`);
    }
  }
  const right = deck.slice(first, first + BOARD_CARDS).slice(0, dealt.board.length); // no card burned (DEAL-2, DEAL-3)
  if (dealt.board.join() !== right.join()) {
    throw new DealError(`hand ${number}: the board was ${cardsText(dealt.board)}, not ${cardsText(right)}`);
  }
}
