import assert from "node:assert/strict";
import { test } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import {
  EventKind,
  PlayResponseItemSchema,
  PlayResponseSchema,
  Reason,
  StreamEndReason,
  WagerKind,
  type LeaveSeatRequest,
  type PlayResponseItem,
  type RevealSeedRequest,
} from "../src/contract.js";
import {
  BrokenStreamError,
  ConnectionLostError,
  play,
  RuleSetError,
  Session,
  type Bot,
  type Decision,
  type PlayOptions,
  type Refusal,
} from "../src/index.js";
import { ManualClock, scripted, type ScriptedStream } from "./scripted.js";
import { Told } from "./told.js";

const caller: Bot = (decision) => decision.checkOrCall();
const SEAT = { tableId: "t", seatToken: "secret" };

function settings(more: PlayOptions = {}): PlayOptions {
  return { clock: new ManualClock(), ...more };
}

/** A script that says what is left of the story and ends the table. */
function rest(told: Told, ...items: PlayResponseItem[]) {
  return async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...items, told.end());
  };
}

// --- playing --------------------------------------------------------------------------------------------

test("a hand is played to its end, with the decision as the events make it", async () => {
  const told = new Told("t", "spring");
  const asked: Decision[] = [];
  const script = async (stream: ScriptedStream): Promise<void> => {
    const [attach] = await stream.attached();
    assert.equal(attach?.seatToken, "secret");
    assert.equal(attach.cursor, undefined);
    stream.say(told.snapshot(), ...told.begun());
    stream.say(told.asked(7));
    const propose = await stream.answer();
    assert.deepEqual(
      [
        propose.proposal?.handId,
        propose.proposal?.decisionId,
        propose.proposal?.seat,
        propose.proposal?.action?.action.case,
      ],
      ["t-1", 7, 1, "fold"],
    );
    stream.say(told.answered(propose.requestId), ...told.folded());
    stream.say(told.end());
    assert.equal(await stream.wasCancelled(), false, "a stream on which all was said closes by itself");
  };
  await scripted([script], async (target) => {
    const bot: Bot = (decision) => {
      asked.push(decision);
      return decision.fold();
    };
    const [played] = await play(target, bot, [SEAT], settings());
    assert.deepEqual(played, {
      tableId: "t",
      seat: 1,
      hands: 1,
      net: -5,
      decisions: 1,
      refusals: 0,
      defaults: 0,
      resumed: 0,
      dealsChecked: 0,
      dealFault: "",
      reason: "TABLE_ENDED",
    });
  });
  const [decision] = asked;
  assert.deepEqual([decision?.pot, decision?.level, decision?.toCall, decision?.holeText], [15, 10, 5, "2c 3c 4c 5c"]);
  assert.deepEqual([decision?.matchName, decision?.streetName, decision?.me.name], ["spring", "pre-flop", "player 1"]);
  assert.equal(decision?.remainingMs, undefined);
});

test("what is ready for several tables goes out in one message, also from a bot that thinks", async () => {
  for (const bot of [caller, async (decision: Decision) => decision.checkOrCall()]) {
    const tables = ["a", "b", "c"].map((id) => new Told(id));
    const script = async (stream: ScriptedStream): Promise<void> => {
      const first = await stream.request();
      assert.deepEqual([first.items.length, first.maxOpenDecisions], [3, 3]);
      stream.say(...tables.flatMap((told) => [told.snapshot(), ...told.begun(), told.asked()]));
      const { items, maxOpenDecisions } = await stream.request();
      assert.deepEqual(
        items.map((item) => [item.tableId, item.item.case]),
        tables.map((told) => [told.tableId, "propose"]),
      );
      assert.equal(maxOpenDecisions, 0);
      stream.say(...tables.map((told) => told.end()));
    };
    await scripted([script], async (target) => {
      const seats = tables.map(({ tableId }) => ({ tableId, seatToken: "secret" }));
      const played = await play(target, bot, seats, settings({ maxOpenDecisions: 3 }));
      assert.deepEqual(
        played.map(({ tableId, decisions }) => [tableId, decisions]),
        [
          ["a", 1],
          ["b", 1],
          ["c", 1],
        ],
      );
    });
  }
});

test("after the hands that were asked for the seat is left and the table detached", async () => {
  const told = new Told();
  const left: string[] = [];
  const script = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...told.begun(), ...told.folded());
    const { items } = await stream.request();
    assert.deepEqual(
      items.map((item) => item.item.case),
      ["detach"],
    );
    stream.say(told.end(StreamEndReason.DETACHED));
    stream.end();
  };
  const leaveSeat = ({ tableId, seatToken }: LeaveSeatRequest) => (left.push(tableId, seatToken), {});
  await scripted(
    [script],
    async (target) => {
      const [played] = await play(target, caller, [SEAT], settings({ hands: 1 }));
      assert.deepEqual([played?.hands, played?.reason], [1, "DETACHED"]);
    },
    { leaveSeat },
  );
  assert.deepEqual(left, ["t", "secret"]);
});

test("a hand that is over may be shown", async () => {
  const told = new Told();
  const script = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...told.begun(), ...told.folded());
    const { proposal } = await stream.answer();
    assert.deepEqual([proposal?.action?.action.case, proposal?.handId, proposal?.decisionId], ["show", "t-1", 0]);
    stream.say(told.end());
  };
  await scripted([script], async (target) => {
    await play(target, caller, [SEAT], settings({ onHandOver: (view) => view.show() }));
  });
});

test("the seed is revealed when all commitments are shown", async () => {
  const told = new Told();
  const seed = Buffer.alloc(32, 7);
  let heard: (seed: Uint8Array) => void = () => undefined;
  const given = new Promise<Uint8Array>((resolve) => (heard = resolve));
  const script = async (stream: ScriptedStream): Promise<void> => {
    const [attach] = await stream.attached();
    assert.deepEqual([attach?.cursor?.hand, attach?.cursor?.number], [0n, 0n]);
    stream.say(told.snapshot(), told.seen({ case: "commitmentsClosed", value: { seats: [1, 2] } }));
    assert.deepEqual(Buffer.from(await given), seed);
    stream.say(told.end());
  };
  const revealSeed = (request: RevealSeedRequest) => (heard(request.seed), {});
  await scripted(
    [script],
    async (target) => void (await play(target, caller, [{ ...SEAT, hand: 0, seed }], settings())),
    { revealSeed },
  );
});

// --- lost connections -----------------------------------------------------------------------------------

test("after a cut the stream is resumed from the cursor, and an unacknowledged answer is sent again as it was", async () => {
  const told = new Told();
  let first = "";
  let asked = 0;
  const cut = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...told.begun(), told.asked(3));
    first = JSON.stringify(await stream.answer(), big);
    stream.cut();
  };
  const resumed = async (stream: ScriptedStream): Promise<void> => {
    const [attach] = await stream.attached();
    assert.deepEqual([attach?.cursor?.hand, attach?.cursor?.number], [1n, 5n]);
    stream.say(told.snapshot());
    stream.say(told.asked(3));
    const again = await stream.answer();
    assert.equal(JSON.stringify(again, big), first);
    stream.say(told.answered(again.requestId), ...told.folded(), told.end());
  };
  await scripted([cut, resumed], async (target) => {
    const bot: Bot = (decision) => decision.raiseTo(20 + asked++);
    const [played] = await play(target, bot, [SEAT], settings());
    assert.deepEqual([asked, played?.decisions, played?.resumed, played?.hands], [1, 1, 1, 1]);
  });
});

function big(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

test("an answer that was acknowledged is not sent for the next decision, nor after a cut", async () => {
  const told = new Told();
  const ids: string[] = [];
  const answerOf = async (stream: ScriptedStream): Promise<string> => {
    ids.push((await stream.answer()).requestId);
    return ids.at(-1) as string;
  };
  const cut = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...told.begun(), told.asked(1));
    stream.say(told.answered(await answerOf(stream)));
    stream.cut();
  };
  const resumed = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), told.asked(2));
    stream.say(told.answered(await answerOf(stream)), told.end());
  };
  await scripted([cut, resumed], async (target) => {
    const [played] = await play(target, caller, [SEAT], settings());
    assert.equal(played?.decisions, 2);
  });
  assert.equal(new Set(ids).size, 2);
});

test("a thinking bot's answer is sent once the decision is repeated after a cut", async () => {
  const told = new Told();
  let answerNow: () => void = () => undefined;
  const thought = new Promise<void>((resolve) => (answerNow = resolve));
  let asked = 0;
  const cut = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...told.begun(), told.asked());
    stream.cut();
  };
  const resumed = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    answerNow();
    await new Promise(setImmediate);
    stream.say(told.snapshot(), told.asked());
    stream.say(told.answered((await stream.answer()).requestId), told.end());
  };
  await scripted([cut, resumed], async (target) => {
    const bot: Bot = async (decision) => {
      asked += 1;
      await thought;
      return decision.fold();
    };
    await play(target, bot, [SEAT], settings());
  });
  assert.equal(asked, 1);
});

test("the end of a stream without an end item is a lost connection, not the end of the game", async () => {
  const told = new Told();
  const ended = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...told.begun());
    stream.end();
  };
  const lost: unknown[] = [];
  await scripted([ended, rest(told)], async (target) => {
    const [played] = await play(target, caller, [SEAT], settings({ onLost: (error) => lost.push(error) }));
    assert.deepEqual([played?.reason, played?.resumed], ["TABLE_ENDED", 1]);
  });
  assert.deepEqual(lost, [undefined]);
});

test("a gap in the numbers is resumed from the cursor; what is told twice counts once", async () => {
  const told = new Told();
  const events = told.begun();
  const gap = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...events.slice(0, 2), ...events.slice(0, 2), events[3] as PlayResponseItem);
    await stream.left;
  };
  const resumed = async (stream: ScriptedStream): Promise<void> => {
    const [attach] = await stream.attached();
    assert.deepEqual([attach?.cursor?.hand, attach?.cursor?.number], [1n, 2n]);
    stream.say(told.snapshot(), ...events.slice(1), ...told.folded(), told.end());
  };
  await scripted([gap, resumed], async (target) => {
    const [played] = await play(target, caller, [SEAT], settings());
    assert.deepEqual([played?.hands, played?.net, played?.resumed], [1, -5, 1]);
  });
});

test("a hand that is never told whole is begun anew, and then given up", async () => {
  const attached: (bigint | undefined)[] = [];
  const gap = async (stream: ScriptedStream): Promise<void> => {
    const told = new Told();
    const events = told.begun();
    const [attach] = await stream.attached();
    attached.push(attach?.cursor?.number);
    stream.say(told.snapshot(), events[0] as PlayResponseItem, events[2] as PlayResponseItem);
    await stream.left;
  };
  const scripts = Array.from({ length: 11 }, () => gap);
  await scripted(scripts, async (target) => {
    await assert.rejects(play(target, caller, [SEAT], settings({ backoff: { firstMs: 1 } })), BrokenStreamError);
  });
  assert.deepEqual(attached.slice(0, 5), [undefined, 1n, 1n, 1n, undefined]);
});

test("a silent stream is resumed, and heartbeats keep it", async () => {
  const told = new Told();
  const clock = new ManualClock();
  const silent = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...told.begun());
    for (let beat = 1; beat <= 3; beat += 1) {
      // The decision says when the client has read so far.
      stream.say(told.heartbeat(), told.asked(beat));
      stream.say(told.answered((await stream.answer()).requestId));
      clock.advance(29_000);
    }
    stream.say(told.heartbeat(), told.asked(4));
    await stream.answer();
    clock.advance(30_000);
    assert.equal(await stream.wasCancelled(), true);
  };
  await scripted([silent, rest(told)], async (target) => {
    const [played] = await play(target, caller, [SEAT], { clock });
    assert.deepEqual([played?.resumed, played?.reason], [1, "TABLE_ENDED"]);
  });
});

test("an end that is not final is resumed on the same stream, while another table goes on", async () => {
  const [one, other] = [new Told("a"), new Told("b")];
  const script = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(one.snapshot(), ...one.begun(), other.snapshot(), ...other.begun());
    stream.say(one.end(StreamEndReason.TOO_SLOW));
    const [attach, ...more] = await stream.attached();
    assert.deepEqual([attach?.cursor?.number, more.length], [5n, 0]);
    stream.say(other.asked());
    await stream.answer();
    stream.say(one.snapshot(), one.asked());
    await stream.answer();
    stream.say(one.end(), other.end());
  };
  await scripted([script], async (target) => {
    const seats = ["a", "b"].map((tableId) => ({ tableId, seatToken: "secret" }));
    const played = await play(target, caller, seats, settings());
    assert.deepEqual(
      played.map((each) => [each.resumed, each.reason]),
      [
        [1, "TABLE_ENDED"],
        [0, "TABLE_ENDED"],
      ],
    );
  });
});

test("a cursor that is not known is forgotten", async () => {
  const told = new Told();
  const events = told.begun();
  const cut = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...events, told.asked());
    await stream.answer();
    stream.cut();
  };
  const unknown = async (stream: ScriptedStream): Promise<void> => {
    assert.equal((await stream.attached())[0]?.cursor?.number, 5n);
    stream.say(told.end(StreamEndReason.CURSOR_UNKNOWN));
  };
  const anew = async (stream: ScriptedStream): Promise<void> => {
    assert.equal((await stream.attached())[0]?.cursor, undefined);
    stream.say(told.snapshot(), ...events, told.asked());
    stream.say(told.answered((await stream.answer()).requestId), ...told.folded(), told.end());
  };
  await scripted([cut, unknown, anew], async (target) => {
    const [played] = await play(target, caller, [SEAT], settings());
    assert.deepEqual([played?.decisions, played?.hands, played?.reason], [1, 1, "TABLE_ENDED"]);
  });
});

test("which ends are final", async () => {
  const { TABLE_ENDED, REPLACED, DETACHED, FLOODING, NOT_ALLOWED } = StreamEndReason;
  for (const reason of [TABLE_ENDED, REPLACED, DETACHED, FLOODING, NOT_ALLOWED]) {
    const told = new Told();
    const script = async (stream: ScriptedStream): Promise<void> => {
      await stream.attached();
      stream.say(told.end(reason));
    };
    await scripted([script], async (target) => {
      const [played] = await play(target, caller, [SEAT], settings());
      assert.equal(played?.reason, StreamEndReason[reason]);
    });
  }
  const { SERVER_DRAINING, STORE_FAILED, CURSOR_UNKNOWN } = StreamEndReason;
  for (const reason of [SERVER_DRAINING, STORE_FAILED, CURSOR_UNKNOWN, 99 as StreamEndReason]) {
    const told = new Told();
    const interrupted = async (stream: ScriptedStream): Promise<void> => {
      await stream.attached();
      stream.say(told.snapshot(), told.end(reason));
      await stream.left;
    };
    await scripted([interrupted, rest(told)], async (target) => {
      const [played] = await play(target, caller, [SEAT], settings());
      assert.deepEqual([played?.reason, played?.resumed], ["TABLE_ENDED", 1], StreamEndReason[reason]);
    });
  }
});

test("a seat that was attached and is not allowed any more tries its cursor, then without one, and then gives up", async () => {
  const told = new Told();
  const cursors: (bigint | undefined)[] = [];
  const attached = async (stream: ScriptedStream): Promise<void> => {
    cursors.push((await stream.attached())[0]?.cursor?.number);
    stream.say(told.snapshot(), ...told.begun(), told.end(StreamEndReason.NOT_ALLOWED));
    await stream.left;
  };
  const denied = async (stream: ScriptedStream): Promise<void> => {
    cursors.push((await stream.attached())[0]?.cursor?.number);
    stream.say(told.end(StreamEndReason.NOT_ALLOWED));
    await stream.left;
  };
  await scripted([attached, denied, denied, denied], async (target) => {
    const [played] = await play(target, caller, [SEAT], settings());
    assert.equal(played?.reason, "NOT_ALLOWED");
  });
  assert.deepEqual(cursors, [undefined, 5n, 5n, undefined]);
});

test("a server that stays away is given up", async () => {
  const lost: unknown[] = [];
  const session = play(
    "127.0.0.1:1",
    caller,
    [SEAT],
    settings({ backoff: { firstMs: 1, tries: 3 }, onLost: (error) => lost.push(error) }),
  );
  await assert.rejects(session, ConnectionLostError);
  assert.equal(lost.length, 4);
});

test("a status that no further attempt would mend ends the play", async () => {
  const unwilling = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.cut(grpc.status.UNAUTHENTICATED);
  };
  await scripted([unwilling], async (target) => {
    await assert.rejects(play(target, caller, [SEAT], settings()), { code: grpc.status.UNAUTHENTICATED });
  });
});

// --- refusals -------------------------------------------------------------------------------------------

const REFUSED = {
  accepted: false,
  rule: "SIZE-1",
  reason: Reason.BELOW_MINIMUM,
  message: "11 is below the minimum of 20",
  legal: {
    seat: 1,
    decisionId: 1,
    canFold: true,
    amountToCall: 5n,
    wager: WagerKind.RAISE,
    minRaiseTo: 20n,
    maxRaiseTo: 90n,
  },
};

test("a refused bot is asked again with the refusal, three times, and then the decision is answered for it", async () => {
  const told = new Told();
  const refusals: (Refusal | undefined)[] = [];
  const heard: Refusal[] = [];
  const script = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...told.begun(), told.asked());
    const ids = new Set<string>();
    for (let time = 0; time < 4; time += 1) {
      const { requestId, proposal } = await stream.answer();
      ids.add(requestId);
      assert.deepEqual(proposal?.action?.action, {
        case: "raise",
        value: { $typeName: "referee.v1.Raise", raiseTo: 11n },
      });
      stream.say(told.answered(requestId, REFUSED));
    }
    const last = await stream.answer();
    assert.equal(last.proposal?.action?.action.case, "fold");
    assert.equal(ids.add(last.requestId).size, 5);
    stream.say(told.answered(last.requestId), told.end());
  };
  await scripted([script], async (target) => {
    const bot: Bot = (decision) => {
      refusals.push(decision.refusal);
      return decision.raiseTo(11);
    };
    const [played] = await play(target, bot, [SEAT], settings({ onRefused: (_, refusal) => heard.push(refusal) }));
    assert.deepEqual([played?.decisions, played?.refusals, played?.defaults], [1, 4, 1]);
  });
  assert.deepEqual(
    refusals.map((one) => one?.reasonName),
    [undefined, "BELOW_MINIMUM", "BELOW_MINIMUM", "BELOW_MINIMUM"],
  );
  const { legal, ...refusal } = heard[0] as Refusal;
  assert.deepEqual(refusal, {
    reason: Reason.BELOW_MINIMUM,
    reasonName: "BELOW_MINIMUM",
    rule: "SIZE-1",
    message: REFUSED.message,
  });
  assert.equal(legal?.maxTo, 90);
});

test("a refusal whose decision is gone is not asked again; one by a reason of a newer server is", async () => {
  const told = new Told();
  let asked = 0;
  const script = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), ...told.begun(), told.asked(1));
    const gone = { accepted: false, rule: "BET-9", reason: Reason.STALE_DECISION, message: "" };
    stream.say(told.answered((await stream.answer()).requestId, gone), told.asked(2));
    const newer = { accepted: false, rule: "BET-99", reason: 99 as Reason, message: "" };
    stream.say(told.answered((await stream.answer()).requestId, newer));
    const { requestId, proposal } = await stream.answer();
    assert.equal(proposal?.decisionId, 2);
    stream.say(told.answered("of-somebody-else", REFUSED), told.answered(requestId), told.end());
  };
  await scripted([script], async (target) => {
    const bot: Bot = (decision) => (asked++, decision.call());
    const [played] = await play(target, bot, [SEAT], settings());
    assert.deepEqual([asked, played?.refusals, played?.decisions], [3, 2, 2]);
  });
});

// --- what a newer server may say ------------------------------------------------------------------------

test("unknown fields, items, events and enum values are ignored", async () => {
  const told = new Told();
  const unknownField = { no: 999, wireType: 2, data: Buffer.from("\x03new") };
  const strange = (item: PlayResponseItem): PlayResponseItem => ({ ...item, $unknown: [unknownField] });
  const script = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    const [began, ...events] = told.begun();
    const newItem = fromBinary(
      PlayResponseItemSchema,
      toBinary(PlayResponseItemSchema, strange(create(PlayResponseItemSchema, { tableId: "t" }))),
    );
    const newEvent = told.seen(undefined);
    const newKind = told.happened({ kind: 99 as EventKind, seat: 77, amount: 5n });
    const sealed = told.item({ case: "sealed", value: { index: 2n ** 60n } });
    stream.say(told.snapshot(), strange(began as PlayResponseItem), newItem, ...events, newEvent, newKind, sealed);
    const response = create(PlayResponseSchema, {
      items: [told.item({ case: "event", value: { hand: 1n, number: 1n } })],
    });
    stream.write({ ...response, $unknown: [unknownField] });
    stream.say({ ...told.asked(), $unknown: [unknownField] });
    const propose = await stream.answer();
    stream.say(told.answered(propose.requestId), ...told.folded(), told.end());
  };
  await scripted([script], async (target) => {
    const bot: Bot = (decision) => {
      assert.deepEqual(
        decision.events.map((event) => event.kind),
        [EventKind.BLIND_POSTED, EventKind.BLIND_POSTED, EventKind.HOLE_DEALT, EventKind.HOLE_DEALT],
      );
      return decision.call();
    };
    const [played] = await play(target, bot, [SEAT], settings());
    assert.deepEqual([played?.hands, played?.resumed, played?.net], [1, 0, -5]);
  });
});

test("rules that this version does not have end the play", async () => {
  const told = new Told();
  const script = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    const snapshot = told.snapshot();
    if (snapshot.item.case === "snapshot" && snapshot.item.value.table?.config) {
      snapshot.item.value.table.config.rules = { case: "ruleSetName", value: "irish/next@1" };
    }
    stream.say(snapshot);
    await stream.left;
  };
  await scripted([script], async (target) => {
    await assert.rejects(play(target, caller, [SEAT], settings()), RuleSetError);
  });
});

// --- the end of it --------------------------------------------------------------------------------------

test("an aborted signal ends the stream at once and rejects with its reason", async () => {
  const told = new Told();
  const stop = new AbortController();
  let gone: Promise<void> = Promise.resolve();
  let thinking: AbortSignal | undefined;
  const script = async (stream: ScriptedStream): Promise<void> => {
    gone = stream.left;
    await stream.attached();
    stream.say(told.snapshot(), ...told.begun(), told.asked());
  };
  await scripted([script], async (target) => {
    const bot: Bot = (_, signal) => {
      thinking = signal;
      setImmediate(() => stop.abort(new Error("enough")));
      return new Promise(() => undefined);
    };
    const session = new Session(target, bot, [SEAT], settings({ signal: stop.signal }));
    await assert.rejects(session.run(), /enough/);
    assert.equal(session.played[0]?.decisions, 1);
    assert.ok(thinking?.aborted);
    await gone;
    await assert.rejects(play(target, caller, [SEAT], settings({ signal: stop.signal })), /enough/);
  });
});

test("an aborted signal ends the wait for a server too", async () => {
  const stop = new AbortController();
  const clock = { now: () => 0, after: () => (setImmediate(() => stop.abort(new Error("enough"))), () => undefined) };
  await assert.rejects(play("127.0.0.1:1", caller, [SEAT], { clock, signal: stop.signal }), /enough/);
});

test("what the bot raises, and what is no action, ends the play", async () => {
  const faults: [Bot, RegExp][] = [
    [
      () => {
        throw new Error("my own fault");
      },
      /my own fault/,
    ],
    [
      async () => {
        throw new Error("my own fault");
      },
      /my own fault/,
    ],
    [() => undefined as never, /a bot answers with an action/],
    [(decision) => ({ kind: "raise", by: decision.level }) as never, /BigInt/],
  ];
  for (const [bot, message] of faults) {
    const told = new Told();
    const script = async (stream: ScriptedStream): Promise<void> => {
      await stream.attached();
      stream.say(told.snapshot(), ...told.begun(), told.asked());
    };
    await scripted([script], async (target) => {
      await assert.rejects(play(target, bot, [SEAT], settings()), message);
    });
  }
});

test("one session plays one seat of a table", () => {
  assert.throws(() => new Session("127.0.0.1:1", caller, [SEAT, SEAT]), RangeError);
});
