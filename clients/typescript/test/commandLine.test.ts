import assert from "node:assert/strict";
import { test } from "node:test";
import type { TakeSeatRequest } from "../src/contract.js";
import { runBots, type Bot, type Clock } from "../src/index.js";
import { scripted, type ScriptedStream } from "./scripted.js";
import { Told } from "./told.js";

const BOTS: Record<string, Bot> = { first: (decision) => decision.fold(), second: (decision) => decision.call() };

/** Waits pass at once; no stream is ever silent for too long. */
const IMPATIENT: Clock = {
  now: () => 0,
  after(ms, action) {
    const soon = ms > 5000 ? undefined : setImmediate(action);
    return () => clearImmediate(soon);
  },
};

async function run(argv: string[], variables: Record<string, string> = {}) {
  const [printed, logged]: [string[], string[]] = [[], []];
  const environment = {
    variables,
    print: (line: string) => printed.push(line),
    log: (line: string) => logged.push(line),
  };
  const code = await runBots(BOTS, argv, { ...environment, clock: IMPATIENT });
  return { code, printed, logged: logged.join("\n") };
}

/** Plays a hand at each table and tells what was answered. */
function hands(tables: readonly Told[], answers: (string | undefined)[] = [], tokens: string[] = []) {
  return async (stream: ScriptedStream): Promise<void> => {
    tokens.push(...(await stream.attached()).map((attach) => attach.seatToken));
    stream.say(...tables.flatMap((told) => [told.snapshot(), ...told.begun(), told.asked()]));
    const proposed = await stream.proposed();
    answers.push(...proposed.map(({ proposal }) => proposal?.action?.action.case));
    stream.say(...tables.flatMap((told) => [...told.folded(), told.end()]));
  };
}

test("seats of the command line are played, and told in their order", async () => {
  const [answers, tokens]: [string[], string[]] = [[], []];
  await scripted([hands([new Told("a"), new Told("b")], answers, tokens)], async (target) => {
    const { code, printed } = await run([
      "--target",
      target,
      "--seat",
      "b=two=2",
      "--seat=a=one",
      "--bot",
      "second",
      "--max-open",
      "2",
    ]);
    assert.equal(code, 0);
    const rest = `"reason":"TABLE_ENDED","hands":1,"decisions":1,"refusals":0,"resumed":0,"deals_checked":0,"deal_fault":""}`;
    assert.deepEqual(printed, [`{"table":"b",${rest}`, `{"table":"a",${rest}`]);
  });
  assert.deepEqual(answers, ["call", "call"]);
  assert.deepEqual(tokens, ["two=2", "one"]);
});

test("target and seats of the environment are played where options are absent, by the first bot", async () => {
  const answers: string[] = [];
  await scripted([hands([new Told("a"), new Told("b")], answers)], async (target) => {
    const { code, printed } = await run([], { REFEREE_TARGET: target, REFEREE_SEATS: "a=one,b=two" });
    assert.deepEqual([code, printed.length], [0, 2]);
  });
  assert.deepEqual(answers, ["fold", "fold"]);
});

test("a seat is taken at a table, committed to a seed", async () => {
  const requests: Pick<TakeSeatRequest, "name" | "commitsSeed" | "seat">[] = [];
  const committed: Uint8Array[] = [];
  const unary = {
    getTable: () => ({ table: { tableId: "t", matchName: "m", dealCommitment: Buffer.alloc(32, 1) } }),
    takeSeat: ({ name, commitsSeed, seat }: TakeSeatRequest) => (
      requests.push({ name, commitsSeed, seat }),
      { seat: 1, seatToken: "secret" }
    ),
    commitSeed: ({ commitment }: { commitment: Uint8Array }) => (committed.push(commitment), {}),
  };
  const script = async (stream: ScriptedStream): Promise<void> => {
    const [attach] = await stream.attached();
    assert.deepEqual([attach?.seatToken, attach?.cursor?.hand], ["secret", 0n]);
    const told = new Told();
    stream.say(told.snapshot(), ...told.begun(), ...told.folded(), told.end());
  };
  await scripted(
    [script],
    async (target) => assert.equal((await run(["--target", target, "--table", "t"])).code, 0),
    unary,
  );
  assert.deepEqual(requests, [{ name: "first", commitsSeed: true, seat: 0 }]);
  assert.deepEqual(
    committed.map((one) => one.length),
    [32],
  );
});

test("a table that did not end in its own way is exit code 1", async () => {
  const told = new Told();
  const script = async (stream: ScriptedStream): Promise<void> => {
    await stream.attached();
    stream.say(told.snapshot(), told.end(4)); // REPLACED
  };
  await scripted([script], async (target) => {
    const { code, printed } = await run(["--target", target, "--seat", "t=secret"]);
    assert.equal(code, 1);
    assert.match(printed[0] ?? "", /"reason":"REPLACED"/);
  });
});

test("a play that fails is exit code 1, with what had come of it", async () => {
  const { code, printed, logged } = await run(["--target", "127.0.0.1:1", "--table", "t", "--backoff-ms", "0"]);
  assert.deepEqual([code, printed], [1, []]);
  assert.match(logged, /ConnectionLostError/);
});

test("a command line that cannot be read is exit code 2", async () => {
  const wrong = [
    [],
    ["--seat", "t"],
    ["--seat", "=x"],
    ["--seat", "t=x", "--table", "t"],
    ["--table", "t", "--hands", "x"],
    ["--bots"],
    ["--table", "t", "--bot", "third"],
  ];
  for (const argv of wrong) {
    const { code, printed, logged } = await run(argv);
    assert.deepEqual([code, printed], [2, []], argv.join(" "));
    assert.match(logged, /usage:/);
  }
  assert.equal((await run(["--help"])).code, 0);
});
