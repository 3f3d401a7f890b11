/**
 * Following one table as one seat: what to ask, what to send again, when it ends. No connection, no waiting here.
 *
 * A session feeds what it receives into a `Follower` and does what it says.
 */

import { create } from "@bufbuild/protobuf";
import { randomBytes } from "node:crypto";
import {
  ActionSchema,
  CursorSchema,
  PlayRequestItemSchema,
  ProposeSchema,
  StreamEndReason,
  type Action as ActionMessage,
  type Answered,
  type Cursor,
  type Decision as DecisionMessage,
  type HandBegan,
  type PlayRequestItem,
  type PlayResponseItem,
  type Propose,
  type SeenEvent,
  type Snapshot,
} from "./contract.js";
import { cardText } from "./cards.js";
import { DealCheck } from "./dealCheck.js";
import { optionsOf, refusalOf, type Action, type Decision, type LegalOptions, type Refusal } from "./decision.js";
import { BrokenStreamError, Gap } from "./errors.js";
import { eventOf } from "./events.js";
import { HandView } from "./handView.js";
import { toNumber } from "./numbers.js";
import { TableRules } from "./rules.js";

/** Called with the decision and the refusal of its answer. */
export type OnRefused = (decision: Decision, refusal: Refusal) => void;

/** Called with each hand that is over; may return `view.show()` to turn up one's hand. */
export type OnHandOver = (view: HandView) => Action | undefined;

/** How often a bot whose answer was refused is asked the same decision again, where the caller does not say. */
export const DEFAULT_REFUSALS = 3;

/** How many gaps of one hand are resumed from the cursor; from then on the hand is begun anew. */
const FORGIVEN_GAPS = 3;

/** How many gaps of one hand end the play: a server that never tells a hand whole cannot be followed. */
const MAX_GAPS = 10;

/** How often a seat that was attached before and now is not allowed tries again from the same cursor. */
const PATIENT_DENIALS = 2;

const TERMINAL: ReadonlySet<StreamEndReason> = new Set([
  StreamEndReason.TABLE_ENDED,
  StreamEndReason.REPLACED,
  StreamEndReason.DETACHED,
  StreamEndReason.NOT_ALLOWED,
  StreamEndReason.FLOODING,
]);

/** What is to be done about something that was received. */
export type Outcome =
  | { readonly type: "ask"; readonly decision: Decision }
  | { readonly type: "send"; readonly propose: Propose }
  | { readonly type: "reveal"; readonly seed: Uint8Array }
  /** Nothing more comes now; the table is to be attached again later from its cursor. */
  | { readonly type: "interrupted"; readonly reason: StreamEndReason }
  /** Nothing more comes. */
  | { readonly type: "ended"; readonly reason: StreamEndReason };

/**
 * What a seat's play came to. `net` is what it won or lost in the hands that ended, in chips.
 *
 * `refusals` counts refused answers, `defaults` the decisions that were then answered for the bot, `resumed` how often
 * the table was attached again. `dealsChecked` counts the hands whose cards were found to follow from the seeds that
 * were shown at the table's end, `dealFault` says what was wrong with them, empty when nothing was. `reason` says why
 * it ended.
 */
export interface Played {
  readonly tableId: string;
  readonly seat: number;
  readonly hands: number;
  readonly net: number;
  readonly decisions: number;
  readonly refusals: number;
  readonly defaults: number;
  readonly resumed: number;
  readonly dealsChecked: number;
  readonly dealFault: string;
  readonly reason: string;
}

/** The decision that is open. `propose` is an answer that the referee has not acknowledged. */
interface Open {
  readonly handId: string;
  legal: LegalOptions;
  untilMs: number | undefined;
  refusals: number;
  refusal?: Refusal | undefined;
  decision?: Decision | undefined;
  propose?: Propose | undefined;
  defaulted: boolean;
}

interface Place {
  readonly hand: number;
  readonly number: number;
}

export interface FollowerOptions {
  /** The time in milliseconds, from any beginning. */
  readonly now: () => number;
  /** Gives request ids that no other client and no earlier run has used. */
  readonly requestId?: () => string;
  /**
   * How often a refused decision is asked again before it is answered with check, else fold, else the cards dealt last.
   */
  readonly maxRefusals?: number | undefined;
  readonly onRefused?: OnRefused | undefined;
  readonly onHandOver?: OnHandOver | undefined;
  /** Where to begin; undefined begins with the hand under way. */
  readonly firstHand?: number | undefined;
  /** Revealed when the referee has shown all commitments. */
  readonly seed?: Uint8Array | undefined;
}

/** One seat at one table, from its first message to its last. */
export class Follower {
  over = false;
  /** What was received, without what is told again. */
  snapshots = 0;
  events = 0;
  view: HandView | undefined;
  readonly #played: { -readonly [name in keyof Played]: Played[name] };
  readonly #requestId: () => string;
  readonly #maxRefusals: number;
  readonly #seed: Uint8Array;
  readonly #deals: DealCheck;
  readonly #names = new Map<number, string>();
  #cursor: Place | undefined;
  #rules: TableRules | undefined;
  #matchName = "";
  #open: Open | undefined;
  #isAttached = false;
  #gaps = 0;
  #denials = 0;
  #lastOver = 0;

  constructor(
    readonly tableId: string,
    readonly seatToken: string,
    private readonly options: FollowerOptions,
  ) {
    this.#played = {
      tableId,
      seat: 0,
      hands: 0,
      net: 0,
      decisions: 0,
      refusals: 0,
      defaults: 0,
      resumed: 0,
      dealsChecked: 0,
      dealFault: "",
      reason: "",
    };
    this.#requestId = options.requestId ?? freshRequestIds();
    this.#maxRefusals = options.maxRefusals ?? DEFAULT_REFUSALS;
    this.#seed = options.seed ?? new Uint8Array();
    this.#deals = new DealCheck(this.#seed);
    if (options.firstHand !== undefined) this.#cursor = { hand: options.firstHand, number: 0 };
  }

  /** What it has come to so far. */
  get played(): Played {
    return { ...this.#played };
  }

  // --- attaching ----------------------------------------------------------------------------------------

  /** The place after which to resume; undefined begins with the hand under way. */
  get cursor(): Cursor | undefined {
    if (this.#cursor === undefined) return undefined;
    return create(CursorSchema, { hand: BigInt(this.#cursor.hand), number: BigInt(this.#cursor.number) });
  }

  /** The item that begins or resumes this table on a stream. */
  attach(): PlayRequestItem {
    this.#isAttached = false;
    const cursor = this.cursor;
    const value = { seatToken: this.seatToken, ...(cursor && { cursor }) };
    return create(PlayRequestItemSchema, { tableId: this.tableId, item: { case: "attach", value } });
  }

  /** The item that stops playing this table on a stream. */
  detach(): PlayRequestItem {
    return create(PlayRequestItemSchema, { tableId: this.tableId, item: { case: "detach", value: {} } });
  }

  /** The item that carries a proposal. */
  proposing(propose: Propose): PlayRequestItem {
    return create(PlayRequestItemSchema, { tableId: this.tableId, item: { case: "propose", value: propose } });
  }

  /**
   * Whether to try again though the table could not be attached: a seat that was attached before may find its server
   * stopping, or its cursor too far back. It tries again as it is, then from the hand under way, and then gives up.
   */
  private wasNotAllowed(): boolean {
    if (this.#cursor === undefined) return false;
    this.#denials += 1;
    if (this.#denials > PATIENT_DENIALS) this.#cursor = undefined;
    return true;
  }

  // --- what comes ---------------------------------------------------------------------------------------

  /**
   * Takes what the server says and returns what to do; raises Gap when something was missed, and BrokenStreamError.
   * Items, events and enum values that this version does not know are ignored.
   */
  receive({ item }: PlayResponseItem): Outcome[] {
    switch (item.case) {
      case "event":
        return this.event(item.value);
      case "decision":
        return some(this.decision(item.value));
      case "answered":
        return some(this.answered(item.value));
      case "snapshot":
        return this.snapshot(item.value);
      case "end":
        return [this.streamEnd(item.value.reason)];
      default:
        return [];
    }
  }

  private snapshot(snapshot: Snapshot): Outcome[] {
    this.#isAttached = true;
    this.#played.resumed = this.snapshots;
    this.snapshots += 1;
    this.#denials = 0;
    const { table } = snapshot;
    if (table !== undefined) {
      if (table.config !== undefined) this.#rules ??= new TableRules(table.config);
      this.#matchName = table.matchName || this.#matchName;
      for (const seat of table.seats) this.#names.set(seat.seat, seat.name);
    }
    return snapshot.events.flatMap((event) => this.event(event));
  }

  private streamEnd(reason: StreamEndReason): Outcome {
    this.#isAttached = false;
    if (reason === StreamEndReason.CURSOR_UNKNOWN) this.#cursor = undefined; // it would only be refused again
    const isWorthATry = reason === StreamEndReason.NOT_ALLOWED && this.wasNotAllowed();
    if (!TERMINAL.has(reason) || isWorthATry) return { type: "interrupted", reason };
    this.end(reason);
    return { type: "ended", reason };
  }

  /** Notes that nothing more comes. */
  end(reason: StreamEndReason): void {
    this.over = true;
    this.#played.reason = StreamEndReason[reason] ?? String(reason);
  }

  // --- events -------------------------------------------------------------------------------------------

  private event(seen: SeenEvent): Outcome[] {
    const place = { hand: toNumber(seen.hand, "a hand"), number: toNumber(seen.number, "an event") };
    if (this.#cursor !== undefined && !isAfter(place, this.#cursor)) return [];
    this.expect(place);
    this.#cursor = place;
    this.events += 1;
    const { event } = seen;
    switch (event.case) {
      case "handEvent":
        return this.handEvent(place.hand, event.value);
      case "handBegan":
        this.handBegan(place.hand, event.value);
        return [];
      case "seatTaken":
        this.#names.set(event.value.seat, event.value.name);
        return [];
      case "opened":
        this.#deals.opened(event.value);
        if (event.value.config !== undefined) this.#rules ??= new TableRules(event.value.config);
        return [];
      case "commitmentsClosed":
        this.#deals.closed(event.value);
        return this.#seed.length ? [{ type: "reveal", seed: this.#seed }] : [];
      case "ended":
        this.#deals.ended(event.value.seeds);
        this.#played.dealsChecked = this.#deals.checked;
        this.#played.dealFault = this.#deals.fault;
        return [];
      default:
        return [];
    }
  }

  /** Makes sure that nothing lies between the cursor and the next event. */
  private expect(place: Place): void {
    if (this.#cursor === undefined) return;
    const { hand, number } = this.#cursor;
    const handIsOver = this.view === undefined || this.view.number !== hand || this.view.over;
    const isNext = place.hand === hand && place.number === number + 1;
    const beginsNextHand = place.hand === hand + 1 && place.number === 1 && handIsOver;
    if (!isNext && !beginsNextHand) {
      this.missed(`after event ${number} of hand ${hand} came event ${place.number} of hand ${place.hand}`);
    }
  }

  private missed(what: string, beginAnew = false): never {
    this.#gaps += 1;
    if (this.#gaps > MAX_GAPS) throw new BrokenStreamError(`${this.tableId}: ${what}, ${this.#gaps} times`);
    if (beginAnew || this.#gaps > FORGIVEN_GAPS) this.#cursor = undefined;
    throw new Gap(`${this.tableId}: ${what}`);
  }

  private handBegan(number: number, began: HandBegan): void {
    if (this.#rules === undefined) {
      throw new BrokenStreamError(`${this.tableId}: a hand began before it was told what is played`);
    }
    if (this.view?.number !== number) this.#gaps = 0;
    const names = new Map(this.#names);
    for (const player of began.players) if (player.name) names.set(player.seat, player.name);
    const table = { tableId: this.tableId, matchName: this.#matchName, names };
    this.view = new HandView(this.#rules.setup(began), number, table);
    this.#deals.began(number, began.deckRoot);
  }

  private handEvent(hand: number, message: Parameters<typeof eventOf>[0]): Outcome[] {
    const { view } = this;
    if (view?.number !== hand) this.missed(`the beginning of hand ${hand} was not told`, true);
    const event = eventOf(message);
    if (event === undefined) return [];
    view.fold(event);
    this.#played.seat = view.seat || this.#played.seat;
    return view.over ? this.handOver(view) : [];
  }

  private handOver(view: HandView): Outcome[] {
    if (this.#open?.handId === view.setup.handId) this.#open = undefined;
    if (view.number <= this.#lastOver) return []; // a hand that is told again, or shown cards after it
    this.#lastOver = view.number;
    this.#deals.over(view);
    if (view.seat) {
      this.#played.hands += 1;
      this.#played.net += view.netOf(view.seat);
    }
    const shows = this.options.onHandOver?.(view);
    return shows === undefined
      ? []
      : [{ type: "send", propose: this.proposalOf(shows, view.setup.handId, view.seat, 0) }];
  }

  // --- decisions ----------------------------------------------------------------------------------------

  private decision(message: DecisionMessage): Outcome | undefined {
    if (message.legal === undefined) return undefined; // nothing that could be answered
    const hand = toNumber(message.hand, "a hand");
    const legal = optionsOf(message.legal);
    const remainingMs = message.deadlineUnixMs ? toNumber(message.remainingMs, "a time") : undefined;
    const untilMs = remainingMs === undefined ? undefined : this.options.now() + remainingMs;
    const known = this.#open;
    if (known?.handId !== message.handId || known.legal.decisionId !== legal.decisionId) {
      const open: Open = { handId: message.handId, legal, untilMs, refusals: 0, defaulted: false };
      this.#open = open;
      this.#played.decisions += 1;
      return this.ask(open, hand);
    }
    known.legal = legal;
    known.untilMs = untilMs;
    if (known.propose !== undefined) return { type: "send", propose: known.propose }; // the same again, under the same id
    return known.decision === undefined ? this.ask(known, hand) : undefined; // else the bot is thinking about it
  }

  private ask(known: Open, hand: number): Outcome {
    const { view } = this;
    if (view?.number !== hand || view.setup.handId !== known.handId) {
      this.#open = undefined;
      this.missed(`the beginning of hand ${hand} was not told`, true);
    }
    const decision = view.decision(known.legal, this.remainingMs(known), known.refusal);
    known.decision = decision;
    return { type: "ask", decision };
  }

  private remainingMs(known: Open): number | undefined {
    return known.untilMs === undefined ? undefined : Math.max(0, Math.floor(known.untilMs - this.options.now()));
  }

  /**
   * The proposal to send now for a decision that the bot answered.
   *
   * Undefined when the decision is no longer open, and while the table is being attached again: the decision is then
   * repeated after the snapshot, and what was answered is sent once, by `receive`.
   */
  answer(decision: Decision, action: Action): Propose | undefined {
    const known = this.#open;
    if (known === undefined || known.decision !== decision) return undefined;
    known.propose = this.proposalOf(action, decision.handId, decision.seat, known.legal.decisionId);
    return this.#isAttached ? known.propose : undefined;
  }

  private proposalOf(action: Action, handId: string, seat: number, decisionId: number): Propose {
    const proposal = { handId, seat, decisionId, action: actionMessage(action) };
    return create(ProposeSchema, { requestId: this.#requestId(), proposal });
  }

  private answered(message: Answered): Outcome | undefined {
    const known = this.#open;
    const { ruling } = message;
    if (known?.propose === undefined || known.propose.requestId !== message.requestId || ruling === undefined)
      return undefined;
    if (ruling.accepted) {
      this.#open = undefined;
      return undefined;
    }
    if (!ruling.reason && ruling.legal === undefined) return undefined; // the table is stopping, and asks again
    const decision = known.decision as Decision;
    const refusal = refusalOf(ruling);
    this.#played.refusals += 1;
    this.options.onRefused?.(decision, refusal);
    const { legal } = refusal;
    const isKnown = refusal.reason !== undefined; // a newer server's reason may mean anything
    const isGone = legal === undefined ? isKnown : legal.decisionId !== known.legal.decisionId;
    if (isGone || known.defaulted) {
      this.#open = undefined; // no longer open, such as after a time-out; or nothing else is left to try
      return undefined;
    }
    known.legal = legal ?? known.legal;
    known.refusal = refusal;
    known.propose = known.decision = undefined;
    known.refusals += 1;
    return known.refusals <= this.#maxRefusals ? this.ask(known, decision.handNumber) : this.default(known, decision);
  }

  private default(known: Open, decision: Decision): Outcome | undefined {
    known.defaulted = true;
    known.decision = decision;
    this.#played.defaults += 1;
    const propose = this.answer(decision, decision.checkOrFold());
    return propose === undefined ? undefined : { type: "send", propose };
  }
}

function some(outcome: Outcome | undefined): Outcome[] {
  return outcome === undefined ? [] : [outcome];
}

function isAfter(place: Place, other: Place): boolean {
  return place.hand > other.hand || (place.hand === other.hand && place.number > other.number);
}

/** The contract's message of an action; raises TypeError for what is none, which is the bot's own fault. */
export function actionMessage(action: Action): ActionMessage {
  const kind = (action as Action | undefined)?.kind;
  switch (kind) {
    case "fold":
    case "check":
    case "call":
    case "show":
      return create(ActionSchema, { action: { case: kind, value: {} } });
    case "bet":
    case "raise":
      return create(ActionSchema, {
        action: { case: kind, value: { raiseTo: BigInt((action as { raiseTo: number }).raiseTo) } },
      });
    case "discard":
      return create(ActionSchema, {
        action: { case: kind, value: { cards: (action as { cards: readonly number[] }).cards.map(cardText) } },
      });
    default:
      throw new TypeError(
        `a bot answers with an action, such as decision.checkOrCall(), not ${JSON.stringify(action)}`,
      );
  }
}

/** Request ids that no other client and no earlier run has used. */
export function freshRequestIds(): () => string {
  const prefix = randomBytes(8).toString("hex");
  let last = 0;
  return () => `${prefix}-${(last += 1)}`;
}
