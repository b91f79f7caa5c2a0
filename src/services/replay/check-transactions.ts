import type { Felt } from "#base/primitives/index.ts";
import {
  type HashedTransaction,
  type Transaction,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { RemoteBlock } from "#io/client/index.ts";
import { requireSame } from "./difference.ts";

/**
 * The transactions of a block with their hashes, recomputed.
 *
 * @throws {DifferenceFound} when a receipt is of another transaction, or has another status than the block
 */
export function checkedTransactions(
  { status, transactions, receipts }: RemoteBlock,
  chainId: Felt,
): HashedTransaction[] {
  return transactions.map((remote, index) => {
    const theirs = receipts[index]?.transactionHash ?? 0n;
    const hashed = hashedAs(remote, theirs, chainId);
    const field = "receipt.transaction_hash";
    const place = { index, hash: hashed.hash };
    requireSame(field, hashed.hash, theirs, place);
    requireSame("receipt.finality_status", status, receipts[index]?.finality ?? "none", place);
    return hashed;
  });
}

/** Of the two forms of resource bounds the specification shows one: the hash tells which it was. */
function hashedAs(remote: Transaction, theirs: Felt, chainId: Felt): HashedTransaction {
  const hashed = { hash: transactionHash(remote, chainId), transaction: remote };
  if (hashed.hash === theirs || !("resourceBounds" in remote)) return hashed;
  const { l1DataGas } = remote.resourceBounds;
  if (l1DataGas === null || l1DataGas.maxAmount + l1DataGas.maxPricePerUnit > 0n) return hashed;
  const older = { ...remote, resourceBounds: { ...remote.resourceBounds, l1DataGas: null } };
  const hash = transactionHash(older, chainId);
  return hash === theirs ? { hash, transaction: older } : hashed;
}
