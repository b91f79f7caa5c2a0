import { mergeStateDiffs } from "./diff.ts";
import type { PendingDelta } from "./pending-block.ts";

/** Combines two consecutive deltas into one. */
export function joinDeltas(first: PendingDelta, next: PendingDelta): PendingDelta {
  const l1Messages = [...(first.l1Messages ?? []), ...(next.l1Messages ?? [])];
  return {
    ...first,
    transactions: [...first.transactions, ...next.transactions],
    receipts: [...first.receipts, ...next.receipts],
    diff: mergeStateDiffs([first.diff, next.diff]),
    classes: [...first.classes, ...next.classes],
    ...(l1Messages.length === 0 ? {} : { l1Messages }),
    sealed: next.sealed,
  };
}
