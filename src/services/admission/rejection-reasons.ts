import type { DroppedEntry, MempoolEntry } from "./mempool/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type ExecutionRecord,
  type MempoolRejection,
  type RejectionCause,
  UNNAMED,
} from "#io/storage/index.ts";

/** A rejection with the additional fields of its report. */
export interface Departure extends MempoolRejection {
  readonly sender: Felt;
  /** Rejection code of the executor, or the cause in upper case. */
  readonly code: string;
}

/** A received transaction that will not be included. */
export type ReportedRejection = Pick<Departure, "hash" | "sender" | "code" | "reason">;

/**
 * Builds the departure of an entry.
 *
 * @param nowMs - Unix milliseconds
 * @param code - the executor's rejection code
 */
export function departureOf(
  { hash, sender }: Pick<MempoolEntry, "hash" | "sender">,
  cause: RejectionCause,
  reason: string,
  nowMs: number,
  code: string = cause.toUpperCase(),
): Departure {
  return { hash, sender, cause, code, reason, rejectedAtMs: nowMs };
}

/** The part of a rejection that is reported to other threads. */
export function reportedOf({ hash, sender, code, reason }: Departure): ReportedRejection {
  return { hash, sender, code, reason };
}

/**
 * Rejections of entries that left the mempool because of `newcomer`.
 *
 * @param nowMs - Unix milliseconds
 */
export function droppedRejections(
  dropped: readonly DroppedEntry[],
  newcomer: MempoolEntry,
  nowMs: number,
): Departure[] {
  return dropped.map(({ entry, cause }) =>
    departureOf(entry, cause, reasonOf(cause, entry, newcomer), nowMs),
  );
}

function reasonOf(
  cause: DroppedEntry["cause"],
  entry: MempoolEntry,
  newcomer: MempoolEntry,
): string {
  switch (cause) {
    case "replaced":
      return replacedReason(entry, newcomer);
    case "evicted":
      return "the mempool is full, and the transaction made room for a more desirable one";
    case "nonce_used":
      return nonceUsedReason(entry.nonce);
  }
}

/** Reason for an entry replaced by one with the same nonce. */
export function replacedReason(entry: MempoolEntry, newcomer: MempoolEntry): string {
  return `the transaction was replaced: ${hexFromFelt(newcomer.hash)} has its nonce ${entry.nonce}`;
}

/** Reason for an entry whose nonce another transaction has used. */
export function nonceUsedReason(nonce: bigint): string {
  return `another transaction of the account has used nonce ${nonce}`;
}

/** Reason for an expired entry. */
export const EXPIRED_REASON = "the transaction waited longer than mempool_ttl";

/** Reason for an entry dropped by the operator. */
export const OPERATOR_REASON = "the operator of the node dropped the transaction";

/**
 * Returns the reason why a transaction whose execution crashed must never be retried.
 *
 * @returns `undefined` when it may be retried
 */
export function fatalReason(
  { attempt, cause }: ExecutionRecord,
  work: "executed" | "validated" | "committed",
): string | undefined {
  if (cause !== null) return `a part of the node died while it ${work} the transaction: ${cause}`;
  if (attempt < MAX_ATTEMPTS) return undefined;
  return `the process died ${attempt} times while it ${work} the transaction`;
}

/**
 * Whether transactions must be processed one by one after this crash: it happened during work on
 * several, and the one at fault is unknown.
 */
export function mustGoAlone(record: ExecutionRecord | undefined): boolean {
  if (record?.hash !== UNNAMED) return false;
  return record.cause !== null || record.attempt >= MAX_ATTEMPTS;
}

/**
 * Whether a crash record without a named transaction must be kept, to count consecutive crashes.
 */
export function isCounting(record: ExecutionRecord | undefined): boolean {
  return record?.hash === UNNAMED && !mustGoAlone(record);
}

/**
 * Number of process crashes during one transaction after which it is blamed, when nothing else
 * names it. A process that is repeatedly killed from outside may be killed during an innocent
 * transaction, even the same one several times: right after a start it is the one being executed.
 */
export const MAX_ATTEMPTS = 5;
