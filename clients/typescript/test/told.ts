/** What a referee tells a seat of a heads-up Irish hand, in the contract's messages, numbered as it must be. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  BettingStructure,
  EventKind,
  PlayResponseItemSchema,
  StreamEndReason,
  WagerKind,
  type EventSchema,
  type LegalOptionsSchema,
  type PlayResponseItem,
  type RulingSchema,
  type SeenEventSchema,
  type TableConfigSchema,
} from "../src/contract.js";
import { cardText, UNKNOWN } from "../src/index.js";

type ItemInit = MessageInitShape<typeof PlayResponseItemSchema>["item"];
type SeenInit = MessageInitShape<typeof SeenEventSchema>;
type EventInit = MessageInitShape<typeof EventSchema>;
type LegalInit = MessageInitShape<typeof LegalOptionsSchema>;
type RulingInit = MessageInitShape<typeof RulingSchema>;

export const CONFIG: MessageInitShape<typeof TableConfigSchema> = {
  rules: { case: "ruleSetName", value: "irish/full-tilt@1" },
  structure: BettingStructure.NO_LIMIT,
  stakes: { smallBlind: 5n, bigBlind: 10n },
  seats: 2,
  startingStack: 1000n,
};

/** One table as seat 1, which has the button and the small blind, is told of it. */
export class Told {
  hand = 0;
  number = 0;

  constructor(
    readonly tableId = "t",
    readonly matchName = "",
  ) {}

  item(item: ItemInit): PlayResponseItem {
    return create(PlayResponseItemSchema, { tableId: this.tableId, ...(item && { item }) });
  }

  snapshot(): PlayResponseItem {
    const table = { tableId: this.tableId, config: CONFIG, matchName: this.matchName, hand: BigInt(this.hand) };
    return this.item({ case: "snapshot", value: { table } });
  }

  /** The next event of the hand under way. */
  seen(event: SeenInit["event"]): PlayResponseItem {
    this.number += 1;
    const value = { hand: BigInt(this.hand), number: BigInt(this.number), ...(event && { event }) };
    return this.item({ case: "event", value });
  }

  happened(event: EventInit): PlayResponseItem {
    return this.seen({ case: "handEvent", value: event });
  }

  /** A hand begins, up to this seat's first decision, which is not asked. */
  begun(hole: readonly number[] = [0, 4, 8, 12], deckRoot: Uint8Array = new Uint8Array()): PlayResponseItem[] {
    this.hand += 1;
    this.number = 0;
    const players = [2, 1].map((seat) => ({ seat, stack: 1000n, name: `player ${seat}` }));
    const began = { handId: this.handId, players, buttonSeat: 1, smallBlindSeat: 1, bigBlindSeat: 2, deckRoot };
    return [
      this.seen({ case: "handBegan", value: began }),
      this.happened({ kind: EventKind.BLIND_POSTED, seat: 1, amount: 5n, streetTotal: 5n }),
      this.happened({ kind: EventKind.BLIND_POSTED, seat: 2, amount: 10n, streetTotal: 10n }),
      this.happened({ kind: EventKind.HOLE_DEALT, seat: 2, cards: Array.from(hole, () => cardText(UNKNOWN)) }),
      this.happened({ kind: EventKind.HOLE_DEALT, seat: 1, cards: hole.map(cardText) }),
    ];
  }

  get handId(): string {
    return `${this.tableId}-${this.hand}`;
  }

  /** This seat is asked. */
  asked(decisionId = 1, legal: LegalInit = {}): PlayResponseItem {
    const options = { ...LEGAL, ...legal, decisionId };
    return this.item({ case: "decision", value: { handId: this.handId, hand: BigInt(this.hand), legal: options } });
  }

  answered(requestId: string, ruling: RulingInit = { accepted: true, rule: "BET-2" }): PlayResponseItem {
    return this.item({ case: "answered", value: { requestId, ruling } });
  }

  /** Seat 1 gives up, and the hand is over. */
  folded(): PlayResponseItem[] {
    return [
      this.happened({ kind: EventKind.FOLDED, seat: 1 }),
      this.happened({ kind: EventKind.BET_RETURNED, seat: 2, amount: 5n }),
      this.happened({ kind: EventKind.POT_AWARDED, seat: 2, amount: 10n }),
      this.happened({ kind: EventKind.HAND_ENDED }),
    ];
  }

  heartbeat(): PlayResponseItem {
    return this.item({ case: "heartbeat", value: { timeUnixMs: 1n } });
  }

  end(reason = StreamEndReason.TABLE_ENDED): PlayResponseItem {
    return this.item({ case: "end", value: { reason } });
  }
}

const LEGAL: LegalInit = {
  seat: 1,
  canFold: true,
  amountToCall: 5n,
  wager: WagerKind.RAISE,
  minRaiseTo: 20n,
  maxRaiseTo: 1000n,
  raiseStep: 1n,
};
