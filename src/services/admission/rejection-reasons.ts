import type { DroppedEntry, MempoolEntry } from "./mempool/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type ExecutionRecord,
  type MempoolRejection,
  type RejectionCause,
  UNNAMED,
} from "#io/storage/index.ts";

/** A rejection with what its report says besides. */
export interface Departure extends MempoolRejection {
  readonly sender: Felt;
  /** The executor's name of what it found, or the cause in upper case. */
  readonly code: string;
}

/** A transaction that was received and is not going to be included. */
export type ReportedRejection = Pick<Departure, "hash" | "sender" | "code" | "reason">;

/**
 * The end of an entry.
 *
 * @param nowMs - Unix milliseconds
 * @param code - what the executor found
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

/** What of a rejection is told to other threads. */
export function reportedOf({ hash, sender, code, reason }: Departure): ReportedRejection {
  return { hash, sender, code, reason };
}

/**
 * The rejections of entries that left the mempool because of `newcomer`.
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

/** Of an entry whose nonce another one has now. */
export function replacedReason(entry: MempoolEntry, newcomer: MempoolEntry): string {
  return `the transaction was replaced: ${hexFromFelt(newcomer.hash)} has its nonce ${entry.nonce}`;
}

/** Of an entry that cannot be executed any more. */
export function nonceUsedReason(nonce: bigint): string {
  return `another transaction of the account has used nonce ${nonce}`;
}

/** Of an entry that is too old. */
export const EXPIRED_REASON = "the transaction waited longer than mempool_ttl";

/** Of an entry that whoever runs the node has dropped. */
export const OPERATOR_REASON = "the operator of the node dropped the transaction";

/** Of a transaction that must not be tried again; `undefined` when it may be. */
export function fatalReason(
  { attempt, cause }: ExecutionRecord,
  work: "executed" | "validated" | "committed",
): string | undefined {
  if (cause !== null) return `a part of the node died while it ${work} the transaction: ${cause}`;
  if (attempt < MAX_ATTEMPTS) return undefined;
  return `the process died ${attempt} times while it ${work} the transaction`;
}

/** Whether nothing may be worked on together after this: the one at fault is not known yet. */
export function mustGoAlone(record: ExecutionRecord | undefined): boolean {
  if (record?.hash !== UNNAMED) return false;
  return record.cause !== null || record.attempt >= MAX_ATTEMPTS;
}

/** Whether a record has to stay as it is, for crashes in a row to be counted. */
export function isCounting(record: ExecutionRecord | undefined): boolean {
  return record?.hash === UNNAMED && !mustGoAlone(record);
}

/**
 * Crashes without a trace after which the transaction is blamed. A process that is killed again and
 * again from outside may be killed in an honest transaction, more than once in the same: right after
 * a start, it is what the executor works on.
 */
export const MAX_ATTEMPTS = 5;
