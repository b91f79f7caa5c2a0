import type { HashedTransaction, Receipt } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Reverted transaction: it changed nothing but its sender's nonce and balance. */
export interface RevertedTransaction {
  readonly hash: Felt;
  /** Sender of the transaction; the recipient for a message from L1. */
  readonly sender: Felt;
  /** Most informative line of the reason, cut to {@link MAX_REASON_LENGTH} characters. */
  readonly reason: string;
}

/** Reverted transactions of a block: their count, and details of the first ones. */
export interface RevertedTransactions {
  readonly count: number;
  /** At most {@link MAX_SHOWN}. */
  readonly first: readonly RevertedTransaction[];
}

/** Maximum number of transactions with details: as many as a log shows in a second. */
const MAX_SHOWN = 10;

const MAX_REASON_LENGTH = 400;

/**
 * Finds the reverted transactions of a block. `receipts` has one entry per transaction, in the same order.
 */
export function revertedTransactionsOf(
  transactions: readonly HashedTransaction[],
  receipts: readonly Receipt[],
): RevertedTransactions {
  let count = 0;
  const first: RevertedTransaction[] = [];
  for (const [i, { status }] of receipts.entries()) {
    if (status.kind === "succeeded") continue;
    count++;
    const included = transactions[i];
    if (included === undefined || first.length >= MAX_SHOWN) continue;
    const { hash, transaction } = included;
    const sender =
      "senderAddress" in transaction ? transaction.senderAddress : transaction.contractAddress;
    first.push({ hash, sender, reason: informativeLine(status.reason) });
  }
  return { count, first };
}

/** Matches lines of a reason that give only a position in the program. */
const PLACE = /^(Cairo traceback |Unknown location |Error at pc=)/;

/**
 * Returns the last line that describes what happened. A reason of several lines starts with a fixed sentence
 * and the calls from the outermost to the innermost; the actual error comes last.
 */
function informativeLine(reason: string): string {
  const lines = reason.split("\n").map((line) => line.trim());
  const informative = lines.findLast((line) => line !== "" && !PLACE.test(line)) ?? "";
  return informative.slice(0, MAX_REASON_LENGTH);
}
