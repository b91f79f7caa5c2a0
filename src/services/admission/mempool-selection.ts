import type { Felt } from "#base/primitives/index.ts";
import type { MempoolEntry } from "./mempool/index.ts";

/** An operator's selection of mempool transactions; absent members do not restrict it. */
export interface MempoolSelection {
  /** Only of this account. */
  readonly sender?: Felt;
  /** Only these. */
  readonly hashes?: readonly Felt[];
  /** With a greater nonce. */
  readonly nonceAfter?: bigint;
  /** With a smaller nonce. */
  readonly nonceBefore?: bigint;
}

/** Returns a predicate for the selected entries. */
export function selectionMatcher(
  selection: MempoolSelection,
): (entry: Pick<MempoolEntry, "hash" | "sender" | "nonce">) => boolean {
  const { sender, nonceAfter, nonceBefore } = selection;
  const hashes = selection.hashes === undefined ? undefined : new Set(selection.hashes);
  return (entry) =>
    (sender === undefined || entry.sender === sender) &&
    (hashes === undefined || hashes.has(entry.hash)) &&
    (nonceAfter === undefined || entry.nonce > nonceAfter) &&
    (nonceBefore === undefined || entry.nonce < nonceBefore);
}
