import { invariant } from "#base/errors/index.ts";
import { decodePendingDelta, encodePendingDelta } from "#engine/state/index.ts";
import type { RejectedTransaction } from "#services/admission/index.ts";
import type { BatchResult, SealedDraft } from "./block-producer.ts";
import type { SealedMessage } from "./messages.ts";

/** A sealed block as one pending delta: the form in which it goes to the committer. */
export function encodeSealed({
  info,
  transactions,
  receipts,
  stateDiff,
}: SealedDraft): Uint8Array<ArrayBuffer> {
  return encodePendingDelta({
    blockNumber: info.number,
    sequence: 0,
    info,
    transactions,
    receipts,
    diff: stateDiff,
    sealed: true,
  });
}

/**
 * The draft that the committer completes: all that it takes from what it is told.
 *
 * @throws {DecodeError} when the bytes are not a block
 */
export function draftFromSealed({ bytes }: Pick<SealedMessage, "bytes">): SealedDraft {
  const { info, transactions, receipts, diff } = decodePendingDelta(bytes);
  invariant(info !== null, "a sealed block lacks its info");
  return { info, transactions, receipts, stateDiff: diff };
}

/** What a batch rejected, in the form in which it goes to admission. */
export function rejectedOf({ rejected }: BatchResult): RejectedTransaction[] {
  return rejected.map(({ hash, error }) => ({ hash, code: error.code, reason: error.message }));
}
