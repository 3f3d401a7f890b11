/** The command line of a bot program: the same options for every bot, one JSON line for each table at the end. */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Bot } from "./decision.js";
import { SYSTEM_CLOCK, type Clock } from "./clock.js";
import { DEFAULT_BACKOFF, Retry, type Server } from "./connecting.js";
import type { Played } from "./follower.js";
import { DEFAULT_SILENCE_MS, Session } from "./session.js";
import { takeSeat, type Seat } from "./tables.js";

const USAGE = `usage: BOT [--target HOST:PORT] (--seat TABLE=TOKEN ... | --table ID [--name NAME])
           [--bot NAME] [--hands N] [--max-open N] [--tls-ca FILE] [--heartbeat-ms N] [--backoff-ms N]
Without --seat and --table, REFEREE_SEATS has the seats (TABLE=TOKEN, comma separated); without --target, REFEREE_TARGET the
server.`;

const OPTIONS = {
  target: { type: "string" },
  seat: { type: "string", multiple: true },
  table: { type: "string" },
  name: { type: "string" },
  bot: { type: "string" },
  hands: { type: "string" },
  "max-open": { type: "string" },
  "tls-ca": { type: "string" },
  "heartbeat-ms": { type: "string" },
  "backoff-ms": { type: "string" },
  help: { type: "boolean" },
} as const;

/** A command line that says nothing that could be done. */
class UsageError extends Error {}

/** What a program is given besides its options, and where it writes. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
  /** The time, for tests. */
  readonly clock?: Clock;
}

interface Request {
  readonly server: Server;
  readonly bot: Bot;
  readonly botName: string;
  readonly seats: readonly Seat[];
  readonly table: string | undefined;
  readonly name: string | undefined;
  readonly hands: number;
  readonly maxOpenDecisions: number;
  readonly silenceMs: number;
  readonly firstMs: number;
}

/**
 * Runs a bot program and resolves with its exit code: 0 when every table has ended or all the hands asked for were
 * played, 1 when not, 2 for a command line that cannot be read. `bots` are by name; without `--bot` the first plays.
 */
export async function runBots(
  bots: Readonly<Record<string, Bot>>,
  argv: readonly string[] = process.argv.slice(2),
  environment: Environment = processEnvironment(),
): Promise<number> {
  try {
    const request = requestOf(bots, argv, environment.variables);
    if (request === undefined) {
      environment.print(USAGE);
      return 0;
    }
    return await playAll(request, environment);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    environment.log(`${error.message}\n${USAGE}`);
    return 2;
  }
}

async function playAll(request: Request, { print, log, signal, clock = SYSTEM_CLOCK }: Environment): Promise<number> {
  const { server, bot, hands } = request;
  let session: Session | undefined;
  let played: readonly Played[] = [];
  let failed = false;
  try {
    const backoff = {
      ...DEFAULT_BACKOFF,
      firstMs: request.firstMs,
      mostMs: Math.max(DEFAULT_BACKOFF.mostMs, request.firstMs),
    };
    const wishes = { name: request.name ?? request.botName, signal, retry: new Retry(backoff, clock) };
    const seats = request.table === undefined ? request.seats : [await takeSeat(server, request.table, wishes)];
    session = new Session(server, bot, seats, {
      hands,
      maxOpenDecisions: request.maxOpenDecisions,
      silenceMs: request.silenceMs,
      backoff,
      clock,
      onLost: (error) => log(`lost the connection${error instanceof Error ? `: ${error.message}` : ""}; resuming`),
      onRefused: ({ tableId, handNumber }, { rule, message }) =>
        log(`${tableId} hand ${handNumber}: refused by ${rule}: ${message}`),
      ...(signal !== undefined && { signal }),
    });
    played = await session.run();
  } catch (error) {
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    played = session?.played ?? [];
    failed = true;
  }
  for (const one of played) print(lineOf(one));
  const isDone = (one: Played): boolean => one.reason === "TABLE_ENDED" || (hands > 0 && one.hands >= hands);
  return !failed && played.every(isDone) ? 0 : 1;
}

function lineOf(played: Played): string {
  return JSON.stringify({
    table: played.tableId,
    reason: played.reason,
    hands: played.hands,
    decisions: played.decisions,
    refusals: played.refusals,
    resumed: played.resumed,
    deals_checked: played.dealsChecked,
    deal_fault: played.dealFault,
  });
}

function requestOf(
  bots: Readonly<Record<string, Bot>>,
  argv: readonly string[],
  variables: Environment["variables"],
): Request | undefined {
  const values = valuesOf(argv);
  if (values.help) return undefined;
  const botName = values.bot ?? Object.keys(bots)[0] ?? "";
  const bot = bots[botName];
  if (bot === undefined) throw new UsageError(`no bot ${botName}; there are ${Object.keys(bots).join(", ")}`);
  const written =
    values.seat ?? (values.table === undefined ? (variables["REFEREE_SEATS"] ?? "").split(",").filter(Boolean) : []);
  if (values.table === undefined && !written.length) throw new UsageError("no seat and no table to play at");
  if (values.table !== undefined && written.length) throw new UsageError("--seat and --table exclude each other");
  const target = values.target ?? (variables["REFEREE_TARGET"] || "127.0.0.1:50051");
  return {
    server: { target, ...(values["tls-ca"] !== undefined && { tlsCa: readFileSync(values["tls-ca"]) }) },
    bot,
    botName,
    seats: written.map(seatOf),
    table: values.table,
    name: values.name,
    hands: numberOf(values.hands, "--hands", 0),
    maxOpenDecisions: numberOf(values["max-open"], "--max-open", 1),
    silenceMs: numberOf(values["heartbeat-ms"], "--heartbeat-ms", DEFAULT_SILENCE_MS),
    firstMs: numberOf(values["backoff-ms"], "--backoff-ms", 200),
  };
}

function valuesOf(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function seatOf(written: string): Seat {
  const at = written.indexOf("=");
  if (at < 1 || at === written.length - 1) throw new UsageError("a seat is written TABLE=TOKEN");
  return { tableId: written.slice(0, at), seatToken: written.slice(at + 1) };
}

function numberOf(written: string | undefined, option: string, otherwise: number): number {
  if (written === undefined) return otherwise;
  if (!/^[0-9]{1,9}$/.test(written)) throw new UsageError(`${option} ${written} is not a number`);
  return Number(written);
}

function processEnvironment(): Environment {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => stop.abort(new Error(`stopped by ${name}`)));
  return {
    variables: process.env,
    print: (line) => console.log(line),
    log: (line) => console.error(line),
    signal: stop.signal,
  };
}
