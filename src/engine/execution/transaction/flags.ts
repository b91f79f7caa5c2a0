import type { TraceMemory } from "../call/trace-memory.ts";

/** How a transaction is executed. */
export interface ExecutionFlags {
  /** Run `__validate__` (default true). */
  readonly validate?: boolean;
  /** Check bounds and balance and take the fee. Default: when the bounds allow any fee at all. */
  readonly chargeFee?: boolean;
  /** The nonce must equal the account's (default true); otherwise it must not be below. */
  readonly strictNonce?: boolean;
  /** Contracts see the query version, 2^128 + version (default false). */
  readonly onlyQuery?: boolean;
  /**
   * Together with `chargeFee: false`, for chains that take no fees: an L2 gas bound of 0 stands for
   * the protocol's maximum, and receipts show a fee of 0 (default false: it means no gas, and
   * receipts show the fee that was not taken, as in the reference engine).
   */
  readonly freeGas?: boolean;
  /** Where what inner calls were given and returned is kept, for a trace (default: it is not). */
  readonly trace?: TraceMemory;
}

/** Whether an L2 gas bound of 0 is none: only where the chain, not the bounds, takes no fee. */
export function hasFreeGas({ chargeFee, freeGas }: ExecutionFlags): boolean {
  return chargeFee === false && freeGas === true;
}
