/** What ends a bot's play, or a check. */

/** The server does not keep to the contract, so that the table cannot be followed. */
export class BrokenStreamError extends Error {
  override name = "BrokenStreamError";
}

/** The server stayed out of reach, or kept ending the stream, for as often as was to be tried. */
export class ConnectionLostError extends Error {
  override name = "ConnectionLostError";
}

/** Rules that this version does not have, or that the server refuses; `rule` is the id that decides. */
export class RuleSetError extends Error {
  override name = "RuleSetError";
  constructor(
    readonly rule: string,
    message: string,
  ) {
    super(`${rule}: ${message}`);
  }
}

/** Something was missed: the table is to be attached again from its cursor. */
export class Gap extends Error {
  override name = "Gap";
}
