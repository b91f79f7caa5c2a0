import type { BatchResult, SealedDraft } from "#services/sequencer/index.ts";
import { encodePendingDelta } from "#engine/state/index.ts";
import type { RejectedTransaction } from "#services/admission/index.ts";

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

/** What a batch rejected, in the form in which it goes to admission. */
export function rejectedOf({ rejected }: BatchResult): RejectedTransaction[] {
  return rejected.map(({ hash, error }) => ({ hash, code: error.code, reason: error.message }));
}
