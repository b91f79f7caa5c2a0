import { OriginError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Rejection, TransactionOutcome } from "#engine/execution/index.ts";
import type { PendingDelta } from "#engine/state/index.ts";
import type { PostponedTransaction } from "#services/admission/index.ts";

/** Result of executing a batch. */
export interface BatchResult {
  /** The included transactions and their changes; `undefined` when none was included. */
  readonly delta: PendingDelta | undefined;
  readonly rejected: readonly { readonly hash: Felt; readonly error: Rejection }[];
  /** Transactions for later: did not fit, must not run yet, followed a rejected nonce, or the node stops. */
  readonly requeued: readonly Felt[];
  /** The requeued transaction that needs a value that the fork's origin did not return; empty if none. */
  readonly postponed: readonly PostponedTransaction[];
  /** Whether a transaction did not fit, so that the block must be closed. */
  readonly full: boolean;
}

/** Outcome of executing a candidate, or `postponed` if a fork's origin did not supply a value. */
export type Attempt = TransactionOutcome | { readonly kind: "postponed"; readonly reason: string };

/**
 * Executes a candidate; converts a failure of the fork's origin to `postponed`, because it decides
 * nothing about the transaction.
 *
 * @throws whatever else `execute` throws
 */
export function attempt(execute: () => TransactionOutcome): Attempt {
  try {
    return execute();
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    return { kind: "postponed", reason: error.message };
  }
}

/**
 * Returns the result of `work`; `undefined` if the fork's origin did not give a value that it needs (any {@link
 * OriginError}). Other errors are thrown.
 */
export function ifReachable<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    return undefined;
  }
}
