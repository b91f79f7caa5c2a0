import {
  type AccountTransaction,
  decodeTransaction,
  type EncodedTransaction,
  isHashed,
  senderAddressOf,
  transactionHash,
  withHash,
} from "#protocol/chain/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** A submitted transaction of an account, decoded, with its bytes. */
export type Received = EncodedTransaction<AccountTransaction>;

/**
 * Decodes a submitted transaction; its bytes may lack the hash.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical transaction of a type that accounts send
 */
export function decodeReceived(bytes: Uint8Array): Received {
  const { hash, transaction } = decodeTransaction(bytes);
  if (transaction.type === "DEPLOY" || transaction.type === "L1_HANDLER") {
    throw new DecodeError("transaction.type", "a transaction that an account sends");
  }
  return { hash, transaction, bytes };
}

/**
 * Returns the account that sent an encoded transaction.
 *
 * @throws {DecodeError} as {@link decodeReceived}
 */
export function senderOf(bytes: Uint8Array): Felt {
  return senderAddressOf(decodeReceived(bytes).transaction);
}

/**
 * Adds the hash to a submitted transaction and its bytes. Computes it only when missing: the first user
 * forwards bytes that carry it.
 */
export function hashReceived(received: Received, chainId: Felt): Received {
  if (isHashed(received)) return received;
  const { transaction } = received;
  const hash = transactionHash(transaction, chainId);
  return { hash, transaction, bytes: withHash(received, hash) };
}
