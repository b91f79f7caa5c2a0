import type { HashedTransaction, Receipt } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** A transaction of a block that changed nothing but its sender's nonce and balance. */
export interface RevertedTransaction {
  readonly hash: Felt;
  /** Who sent it; for a message from L1, who received it. */
  readonly sender: Felt;
  /** The line of the reason that tells most, at most {@link MAX_REASON_LENGTH} characters. */
  readonly reason: string;
}

/** The reverted transactions of a block, of which the first are told apart. */
export interface RevertedTransactions {
  readonly count: number;
  /** At most {@link MAX_SHOWN}. */
  readonly first: readonly RevertedTransaction[];
}

/** As many as a log shows in a second. */
const MAX_SHOWN = 10;

const MAX_REASON_LENGTH = 400;

/** Finds what reverted in a block; `receipts` are those of `transactions`, in the same order. */
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
    first.push({ hash, sender, reason: tellingLine(status.reason) });
  }
  return { count, first };
}

/** Lines of a reason that only say where in the program it was. */
const PLACE = /^(Cairo traceback |Unknown location |Error at pc=)/;

/**
 * The last line that says what happened. A reason of several lines begins with a fixed sentence and
 * the calls from the outside in; what went wrong in the innermost one comes last.
 */
function tellingLine(reason: string): string {
  const lines = reason.split("\n").map((line) => line.trim());
  const telling = lines.findLast((line) => line !== "" && !PLACE.test(line)) ?? "";
  return telling.slice(0, MAX_REASON_LENGTH);
}
