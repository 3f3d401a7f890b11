/**
 * Calls about tables: open and close one, take a seat and leave it. Each carries a request id of its own and is sent
 * again under it while the server is out of reach, so that nothing is done twice.
 */

import type { MessageInitShape } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { randomBytes, randomUUID } from "node:crypto";
import { TableService, type TableConfigSchema, type TableState } from "./contract.js";
import { call, statusOf, type CallOptions, type Server } from "./connecting.js";
import { commitSeat, SEED_BYTES } from "./deals.js";
import { BrokenStreamError, RuleSetError } from "./errors.js";
import { toNumber } from "./numbers.js";

/**
 * A seat that was taken. `seatToken` proves it and is a secret.
 *
 * `hand` is the one under way when it was taken, 0 before the first: play begins there, so that nothing is missed in
 * between; undefined begins with the hand under way. `seed` is the seat's own share of the deals, a secret until it is
 * revealed.
 */
export interface Seat {
  readonly tableId: string;
  readonly seatToken: string;
  readonly number?: number;
  readonly hand?: number;
  readonly seed?: Uint8Array;
}

/**
 * Opens a table and returns its id; `token` is the host's. Rejects with RuleSetError when the rules do not allow it.
 */
export async function createTable(
  target: string | Server,
  config: MessageInitShape<typeof TableConfigSchema>,
  options: CallOptions = {},
): Promise<string> {
  const { outcome } = await call(target, TableService.method.createTable, { requestId: randomUUID(), config }, options);
  if (outcome.case === "refused") throw new RuleSetError(outcome.value.rule, outcome.value.message);
  if (outcome.case !== "tableId")
    throw new BrokenStreamError("CreateTable answered neither with a table nor with a refusal");
  return outcome.value;
}

/** Ends a table after the hand under way; `token` is the host's. */
export async function closeTable(target: string | Server, tableId: string, options: CallOptions = {}): Promise<void> {
  await call(target, TableService.method.closeTable, { requestId: randomUUID(), tableId }, options);
}

/** How a table stands, as anybody may see it. */
export async function getTable(
  target: string | Server,
  tableId: string,
  options: CallOptions = {},
): Promise<TableState> {
  const { table } = await call(target, TableService.method.getTable, { tableId }, options);
  if (table === undefined) throw new BrokenStreamError("GetTable answered without a table");
  return table;
}

export interface SeatWishes extends CallOptions {
  readonly name: string;
  /** 0, or nothing, takes the first free one. */
  readonly seat?: number;
  readonly showWhenBeaten?: boolean;
  /** At a table that is playing already: come in by posting as soon as may be, instead of waiting for the big blind. */
  readonly posts?: boolean;
  /** 32 bytes, by default drawn here; an empty one takes no part in the deals. */
  readonly seed?: Uint8Array;
}

/**
 * Takes a seat. Its token is told this once; keep it to come back.
 *
 * Before the first hand the seat also commits to its seed (referee-deal/1), so that nobody else can have chosen the
 * cards. Playing reveals it in time.
 */
export async function takeSeat(
  target: string | Server,
  tableId: string,
  { name, seat = 0, showWhenBeaten = false, posts = false, seed = randomBytes(SEED_BYTES), ...options }: SeatWishes,
): Promise<Seat> {
  const state = await getTable(target, tableId, options);
  const commitsSeed = seed.length > 0 && state.hand === 0n;
  const request = { requestId: randomUUID(), tableId, seat, name, showWhenBeaten, commitsSeed, posts };
  const taken = await call(target, TableService.method.takeSeat, request, options);
  const { seatToken } = taken;
  const place: Seat = { tableId, seatToken, number: taken.seat, hand: toNumber(state.hand, "a hand") };
  if (!commitsSeed) return place;
  const commitment = commitSeat(state.matchName, taken.seat, seed, state.dealCommitment);
  const wasTaken = await unlessRefused(
    call(target, TableService.method.commitSeed, { tableId, seatToken, commitment }, options),
  );
  return wasTaken ? { ...place, seed } : place; // it may be too late for a seed
}

/** Reveals a seat's seed; nothing happens when the table does not wait for it any more. */
export async function revealSeed(
  target: string | Server,
  { tableId, seatToken }: Seat,
  seed: Uint8Array,
  options: CallOptions = {},
): Promise<void> {
  await unlessRefused(call(target, TableService.method.revealSeed, { tableId, seatToken, seed }, options));
}

/** Leaves a seat after the hand under way; until then its decisions are answered as if out of time. */
export async function leaveSeat(
  target: string | Server,
  { tableId, seatToken }: Seat,
  options: CallOptions = {},
): Promise<void> {
  await call(target, TableService.method.leaveSeat, { requestId: randomUUID(), tableId, seatToken }, options);
}

/** Keeps the seat and is dealt in no more, from the next hand on; blinds that pass it are owed (SEAT-3, SEAT-5). */
export async function sitOut(
  target: string | Server,
  { tableId, seatToken }: Seat,
  options: CallOptions = {},
): Promise<void> {
  await call(target, TableService.method.sitOut, { requestId: randomUUID(), tableId, seatToken }, options);
}

/** Plays again. Where the seat owes blinds or is new it waits for the big blind, or `posts` as soon as it may. */
export async function sitIn(
  target: string | Server,
  { tableId, seatToken }: Seat,
  { posts = false, ...options }: CallOptions & { readonly posts?: boolean } = {},
): Promise<void> {
  await call(target, TableService.method.sitIn, { requestId: randomUUID(), tableId, seatToken, posts }, options);
}

/** Has the stack filled up `to` so many chips before the next hand, if it then has fewer; 0 takes that back. */
export async function topUp(
  target: string | Server,
  { tableId, seatToken }: Seat,
  to: number,
  options: CallOptions = {},
): Promise<void> {
  const request = { requestId: randomUUID(), tableId, seatToken, to: BigInt(to) };
  await call(target, TableService.method.topUp, request, options);
}

/** Leaves a seat unless it or its table is gone already, such as by a first attempt whose answer was lost. */
export async function leaveIfSeated(target: string | Server, seat: Seat, options: CallOptions = {}): Promise<void> {
  await unlessRefused(leaveSeat(target, seat, options));
}

/** Whether a call was done, and not refused because the table does not allow it any more, or does not know the seat. */
async function unlessRefused(made: Promise<unknown>): Promise<boolean> {
  try {
    await made;
    return true;
  } catch (error) {
    const status = statusOf(error);
    if (status !== grpc.status.FAILED_PRECONDITION && status !== grpc.status.PERMISSION_DENIED) throw error;
    return false;
  }
}
