import { OriginError } from "#base/errors/index.ts";
import { ORIGIN_NOT_HERE } from "#io/origin/index.ts";
import type { Refusal } from "./admission-rules.ts";

/** Delay until a client may send again what a lost origin held up, in seconds. */
const RETRY_SECONDS = 1;

/**
 * Wire error for a submission that needs a value that the fork's origin did not return. It says nothing about
 * the transaction, of which nothing is kept.
 */
export function lostOriginRefusal({ message, retryable }: OriginError): Refusal {
  const reason = `the transaction cannot be checked now: ${message}`;
  const refusal = { kind: "rejected", code: "UNEXPECTED_ERROR", reason } as const;
  return retryable ? { ...refusal, retryAfterSeconds: RETRY_SECONDS } : refusal;
}

/**
 * Runs a check of a submission; the failure of a fork's origin becomes a refusal.
 *
 * @param refuse - encodes the refusal
 * @throws whatever else `check` throws, and errors of values that are not fetched yet
 */
export function refusingLostOrigin<T>(check: () => T, refuse: (refusal: Refusal) => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof OriginError) || error.code === ORIGIN_NOT_HERE) throw error;
    return refuse(lostOriginRefusal(error));
  }
}
