/** Bots in TypeScript for the Irish Poker Referee; see docs/client-typescript.md. */
export * from "./cards.js";
export { SYSTEM_CLOCK, type Clock } from "./clock.js";
export { runBots, type Environment } from "./commandLine.js";
export { DEFAULT_BACKOFF, type Backoff, type CallOptions, type Server } from "./connecting.js";
export { checkHand, DealCheck, type DealtHand } from "./dealCheck.js";
export * from "./deals.js";
export * from "./decision.js";
export * from "./errors.js";
export { eventOf, type HandEvent } from "./events.js";
export { DEFAULT_REFUSALS, Follower, type OnHandOver, type OnRefused, type Outcome, type Played } from "./follower.js";
export { STREET_NAMES } from "./hand.js";
export { HandView } from "./handView.js";
export { newestHead, provePiece, verifyPiece, type ProvenPiece } from "./log/asking.js";
export * from "./log/checkpoints.js";
export * from "./log/keys.js";
export * from "./log/notes.js";
export * from "./merkle.js";
export { MAX_CHIPS } from "./numbers.js";
export { gameOf, RULE_SETS, TableRules, type HandSetup, type Stakes } from "./rules.js";
export { DEFAULT_SILENCE_MS, play, Session, type PlayOptions } from "./session.js";
export {
  closeTable,
  createTable,
  getTable,
  leaveSeat,
  sitIn,
  sitOut,
  takeSeat,
  topUp,
  type Seat,
  type SeatWishes,
} from "./tables.js";
