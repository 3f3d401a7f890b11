/**
 * How int64 is read: messages have `bigint`, bots get `number`.
 *
 * The rulebook bounds chips by 2^53, which a number holds exactly; so are the numbers of hands and events. What lies
 * beyond is no amount that a referee tells, and is never rounded.
 */

import { BrokenStreamError } from "./errors.js";

/** The most chips that the rulebook allows anywhere. */
export const MAX_CHIPS = 2 ** 53;

const BOUND = BigInt(MAX_CHIPS);

/** A message's int64 as a number; raises BrokenStreamError beyond 2^53. */
export function toNumber(value: bigint, what = "an amount"): number {
  if (value > BOUND || value < -BOUND) throw new BrokenStreamError(`${what} of ${value}: beyond 2^53`);
  return Number(value);
}
