import type { Felt } from "#base/primitives/index.ts";
import { type HashedTransaction, withHashedBounds } from "#protocol/chain/index.ts";
import type { RemoteBlock } from "#io/client/index.ts";
import { requireSame } from "./difference.ts";

/**
 * Returns the transactions of a block with recomputed hashes.
 *
 * @throws {DifferenceFound} when a receipt belongs to another transaction, or its status differs from the
 * block's
 */
export function checkedTransactions(
  { status, transactions, receipts }: RemoteBlock,
  chainId: Felt,
): HashedTransaction[] {
  return transactions.map((remote, index) => {
    const theirs = receipts[index]?.transactionHash ?? 0n;
    const hashed = withHashedBounds(remote, theirs, chainId);
    const field = "receipt.transaction_hash";
    const place = { index, hash: hashed.hash };
    requireSame(field, hashed.hash, theirs, place);
    requireSame("receipt.finality_status", status, receipts[index]?.finality ?? "none", place);
    return hashed;
  });
}
