import type { TraceMemory } from "../call/trace-memory.ts";

/** Options of a transaction's execution. */
export interface ExecutionFlags {
  /** Run `__validate__` (default true). */
  readonly validate?: boolean;
  /** Check bounds and balance, and charge the fee. Default: true if the bounds allow any fee at all. */
  readonly chargeFee?: boolean;
  /** Require the nonce to equal the account's (default true); otherwise it only must not be below. */
  readonly strictNonce?: boolean;
  /** Contracts see the query version, 2^128 + version (default false). */
  readonly onlyQuery?: boolean;
  /**
   * Together with `chargeFee: false`, for chains without fees: an L2 gas bound of 0 means the protocol's
   * maximum, and receipts show a fee of 0. If false (default), a bound of 0 means no gas, and receipts show
   * the fee that was not charged, as in the reference engine.
   */
  readonly freeGas?: boolean;
  /** Stores inputs and outputs of inner calls for a trace (default: not stored). */
  readonly trace?: TraceMemory;
}

/**
 * Whether an L2 gas bound of 0 means no limit: when the chain charges no fee and the flag `freeGas`
 * is set.
 */
export function hasFreeGas({ chargeFee, freeGas }: ExecutionFlags): boolean {
  return chargeFee === false && freeGas === true;
}
