import {
  type AccountTransaction,
  type HashedTransaction,
  nonceOf,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import type { MempoolEntry } from "./mempool/index.ts";

/**
 * A transaction as the mempool orders it.
 *
 * @param bytes - the encoded transaction
 * @param receivedAtMs - Unix milliseconds of its arrival at this node
 */
export function mempoolEntryOf(
  { hash, transaction }: HashedTransaction<AccountTransaction>,
  bytes: Uint8Array,
  receivedAtMs: number,
): MempoolEntry {
  return {
    hash,
    sender: senderAddressOf(transaction),
    nonce: nonceOf(transaction),
    tip: transaction.version === 3 ? transaction.tip : 0n,
    kind: transaction.type,
    receivedAtMs,
    bytes,
  };
}
