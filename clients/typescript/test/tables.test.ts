import assert from "node:assert/strict";
import { test } from "node:test";
import * as grpc from "@grpc/grpc-js";
import {
  closeTable,
  createTable,
  DEFAULT_BACKOFF,
  leaveSeat,
  RuleSetError,
  sitIn,
  sitOut,
  takeSeat,
  topUp,
} from "../src/index.js";
import { Retry } from "../src/connecting.js";
import { ManualClock, scripted } from "./scripted.js";
import { CONFIG } from "./told.js";

const SEAT = { tableId: "t", seatToken: "secret" };

function retrying(tries = 3): { retry: Retry } {
  return { retry: new Retry({ ...DEFAULT_BACKOFF, tries }, new ManualClock()) };
}

function status(code: grpc.status): Error {
  return Object.assign(new Error(), { code, details: "by the test" });
}

test("a call that the server was too busy for is made again under its own request id", async () => {
  const ids: string[] = [];
  const busyTwice = (request: { requestId: string }) => {
    ids.push(request.requestId);
    if (ids.length % 3) throw status(grpc.status.UNAVAILABLE);
    return {};
  };
  const unary = { sitOut: busyTwice, sitIn: busyTwice, topUp: busyTwice, leaveSeat: busyTwice, closeTable: busyTwice };
  await scripted(
    [],
    async (target) => {
      await sitOut(target, SEAT, retrying());
      await sitIn(target, SEAT, retrying());
      await topUp(target, SEAT, 100, retrying());
      await leaveSeat(target, SEAT, retrying());
      await closeTable(target, "t", retrying());
    },
    unary,
  );
  assert.equal(ids.length, 15);
  for (let call = 0; call < 15; call += 3) assert.equal(new Set(ids.slice(call, call + 3)).size, 1);
  assert.equal(new Set(ids).size, 5);
});

test("a call that would not go better is made once, and its error tells its status", async () => {
  let calls = 0;
  const refused = () => {
    calls += 1;
    throw status(grpc.status.PERMISSION_DENIED);
  };
  const ask = (target: string): Promise<void> => leaveSeat(target, SEAT, retrying());
  await scripted(
    [],
    async (target) => assert.rejects(ask(target), { code: grpc.status.PERMISSION_DENIED, details: "by the test" }),
    { leaveSeat: refused },
  );
  assert.equal(calls, 1);
});

test("what a seat asks for is what is sent", async () => {
  const sent: unknown[] = [];
  const keep =
    (name: string) =>
    ({ tableId, seatToken, to, posts }: Record<string, unknown>) => (
      sent.push([name, tableId, seatToken, to ?? posts]),
      {}
    );
  await scripted(
    [],
    async (target) => {
      await topUp(target, SEAT, 2 ** 53);
      await sitIn(target, SEAT, { posts: true });
    },
    { topUp: keep("topUp"), sitIn: keep("sitIn") },
  );
  assert.deepEqual(sent, [
    ["topUp", "t", "secret", 2n ** 53n],
    ["sitIn", "t", "secret", true],
  ]);
});

test("a table that the rules do not allow is refused with the rule; the host's token is shown", async () => {
  const shown: unknown[] = [];
  const outcome = { case: "refused" as const, value: { rule: "GAME-2", message: "not so" } };
  await scripted(
    [],
    async (target) => {
      await assert.rejects(
        createTable(target, CONFIG, { token: "host" }),
        (error) => error instanceof RuleSetError && error.rule === "GAME-2",
      );
    },
    {
      createTable: (_, metadata) => {
        shown.push(...metadata.get("authorization"));
        return { outcome };
      },
    },
  );
  assert.deepEqual(shown, ["Bearer host"]);
});

test("who sits down at a table that is playing takes no part in its seeds, nor who comes too late to commit", async () => {
  const table = (hand: bigint) => ({ table: { tableId: "t", hand, matchName: "m", dealCommitment: Buffer.alloc(32) } });
  const taken: unknown[] = [];
  const takeSeatOf = ({ commitsSeed, posts }: Record<string, unknown>) => (
    taken.push([commitsSeed, posts]),
    { seat: 2, seatToken: "secret" }
  );
  const tooLate = () => {
    throw status(grpc.status.FAILED_PRECONDITION);
  };
  const sit = (hand: bigint, wishes = {}) =>
    scripted(
      [],
      async (target) => {
        const seat = await takeSeat(target, "t", { name: "mine", ...wishes });
        assert.deepEqual(seat, { tableId: "t", seatToken: "secret", number: 2, hand: Number(hand) });
      },
      { getTable: () => table(hand), takeSeat: takeSeatOf, commitSeed: tooLate },
    );
  await sit(7n, { posts: true });
  await sit(0n);
  await sit(0n, { seed: new Uint8Array() });
  assert.deepEqual(taken, [
    [false, true],
    [true, false],
    [false, false],
  ]);
});

test("an aborted call rejects with the signal's reason", async () => {
  const stop = new AbortController();
  const busy = () => {
    stop.abort(new Error("enough"));
    throw status(grpc.status.UNAVAILABLE);
  };
  await scripted(
    [],
    async (target) => assert.rejects(leaveSeat(target, SEAT, { signal: stop.signal, ...retrying() }), /enough/),
    { leaveSeat: busy },
  );
});
