import {
  type AccountTransaction,
  decodeTransaction,
  type EncodedTransaction,
  isHashed,
  transactionHash,
  withHash,
} from "#protocol/chain/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** A transaction that was submitted, on its way into the mempool. */
export type Received = EncodedTransaction<AccountTransaction>;

/**
 * A submitted transaction from the bytes in which it came; they may lack the hash.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical transaction that an account sends
 */
export function decodeReceived(bytes: Uint8Array): Received {
  const { hash, transaction } = decodeTransaction(bytes);
  if (transaction.type === "DEPLOY" || transaction.type === "L1_HANDLER") {
    throw new DecodeError("transaction.type", "a transaction that an account sends");
  }
  return { hash, transaction, bytes };
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
