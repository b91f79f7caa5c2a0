import type { Felt } from "#base/primitives/index.ts";
import type { MempoolEntry } from "./mempool/index.ts";

/** Transactions of the mempool that whoever runs the node means. Absent members narrow nothing. */
export interface MempoolSelection {
  /** Of this account alone. */
  readonly sender?: Felt;
  /** These alone. */
  readonly hashes?: readonly Felt[];
  /** With a greater nonce. */
  readonly nonceAfter?: bigint;
  /** With a smaller nonce. */
  readonly nonceBefore?: bigint;
}

/** Tells which entries are meant. */
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
