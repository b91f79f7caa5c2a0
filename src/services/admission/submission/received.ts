import {
  type AccountTransaction,
  decodeTransaction,
  type EncodedTransaction,
  isHashed,
  transactionHash,
  withHash,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** A transaction that was submitted, on its way into the mempool. */
export type Received = EncodedTransaction<AccountTransaction>;

/**
 * A submitted transaction from the bytes in which it came; they may lack the hash.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical transaction
 */
export function decodeReceived(bytes: Uint8Array): Received {
  return decodeTransaction(bytes) as Received;
}

/**
 * A submitted transaction with its hash, in its bytes too. The hash is computed unless it is there:
 * whoever needs it first hands on bytes that carry it.
 */
export function hashReceived(received: Received, chainId: Felt): Received {
  if (isHashed(received)) return received;
  const { transaction } = received;
  const hash = transactionHash(transaction, chainId);
  return { hash, transaction, bytes: withHash(received, hash) };
}
