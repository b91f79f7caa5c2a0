import type { DroppedEntry, MempoolEntry } from "#mempool/index.ts";
import { hexFromFelt } from "#primitives/index.ts";
import type { ExecutionRecord, MempoolRejection } from "#storage/index.ts";

/**
 * The rejections of entries that left the mempool because of `newcomer`.
 *
 * @param nowMs - Unix milliseconds
 */
export function droppedRejections(
  dropped: readonly DroppedEntry[],
  newcomer: MempoolEntry,
  nowMs: number,
): MempoolRejection[] {
  return dropped.map(({ entry, cause }) => ({
    hash: entry.hash,
    cause,
    reason: reasonOf(cause, entry, newcomer),
    rejectedAtMs: nowMs,
  }));
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

/** Of an entry that can not be executed any more. */
export function nonceUsedReason(nonce: bigint): string {
  return `another transaction of the account has used nonce ${nonce}`;
}

/** Of an entry that is too old. */
export const EXPIRED_REASON = "the transaction waited longer than mempool_ttl";

/** Of a transaction that must not be tried again; `undefined` when it may be, once more. */
export function fatalReason(
  { attempt, cause }: ExecutionRecord,
  work: "executed" | "validated",
): string | undefined {
  if (cause !== null) return `a part of the node died while it ${work} the transaction: ${cause}`;
  if (attempt === 1) return undefined;
  return `the process died twice while it ${work} the transaction`;
}

/** Of a submission that may be sent once more. */
export const SUSPECT_REASON = "the process died while it validated the transaction: send it again";
