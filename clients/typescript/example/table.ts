/**
 * Opens a table for trying a bot, as the host, and prints its id: node table.js [--target HOST:PORT] [--seats N]
 * [--hands N]
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BettingStructure } from "../src/contract.js";
import { createTable } from "../src/index.js";

const { values } = parseArgs({
  options: {
    target: { type: "string", default: "127.0.0.1:50051" },
    "token-file": { type: "string", default: "referee-data/host.token" },
    seats: { type: "string", default: "2" },
    hands: { type: "string", default: "20" },
  },
});

const config = {
  rules: { case: "ruleSetName", value: "irish/full-tilt@1" },
  structure: BettingStructure.NO_LIMIT,
  stakes: { smallBlind: 5n, bigBlind: 10n },
  seats: Number(values.seats),
  startingStack: 1000n,
  resetStacks: true,
  hands: BigInt(values.hands),
  clock: { actionMs: 10_000n },
} as const;

console.log(await createTable(values.target, config, { token: readFileSync(values["token-file"], "utf8").trim() }));
