import type { Felt } from "#base/primitives/index.ts";
import { contractAddress } from "../address.ts";
import { earlyTransactionHashes } from "../early-transaction-hash.ts";
import type { Receipt } from "../receipt.ts";
import { transactionHash } from "../transaction-hash.ts";
import type { HashedTransaction, ResourceBound, Transaction } from "../transaction.ts";
import { hasEarlyHashes } from "./early-blocks.ts";
import { type Mismatch, mismatchOf } from "./mismatch.ts";

/** Position of a transaction, on which its hash rule depends. */
export interface TransactionPlace {
  readonly chainId: Felt;
  readonly blockNumber: number;
  /** Index in the block, from 0. */
  readonly index: number;
}

/**
 * Verifies the hash of a transaction. Transactions of mainnet blocks up to 1470 may have one of
 * `earlyTransactionHashes`.
 */
export function transactionHashMismatch(
  { hash, transaction }: HashedTransaction,
  { chainId, blockNumber, index }: TransactionPlace,
): Mismatch | undefined {
  const expected = transactionHash(transaction, chainId);
  if (expected === hash) return undefined;
  const mayBeEarly = hasEarlyHashes(chainId, blockNumber);
  if (mayBeEarly && earlyTransactionHashes(transaction, chainId).includes(hash)) return undefined;
  return mismatchOf("transaction_hash", "hash", expected, hash, index);
}

/**
 * Returns the transaction in the form of resource bounds that its hash covers, because sources may report
 * both forms as the newer one. The returned hash is computed.
 *
 * @param reportedHash - hash that the source reports
 */
export function withHashedBounds(
  transaction: Transaction,
  reportedHash: Felt,
  chainId: Felt,
): HashedTransaction {
  const hashed = { hash: transactionHash(transaction, chainId), transaction };
  if (hashed.hash === reportedHash || !("resourceBounds" in transaction)) return hashed;
  const { l1DataGas } = transaction.resourceBounds;
  if (l1DataGas !== null && l1DataGas.maxAmount + l1DataGas.maxPricePerUnit > 0n) return hashed;
  const other = withDataGas(transaction, l1DataGas === null ? NOTHING : null);
  const hash = transactionHash(other, chainId);
  return hash === reportedHash ? { hash, transaction: other } : hashed;
}

const NOTHING: ResourceBound = { maxAmount: 0n, maxPricePerUnit: 0n };

function withDataGas<T extends Transaction & { readonly version: 3 }>(
  transaction: T,
  l1DataGas: ResourceBound | null,
): T {
  return { ...transaction, resourceBounds: { ...transaction.resourceBounds, l1DataGas } };
}

/**
 * Verifies class and salt of an early deploy. Its hash does not cover them, but covers the contract address
 * that they determine.
 */
export function deployedAddressMismatch(
  transaction: Transaction,
  index: number,
): Mismatch | undefined {
  if (transaction.type !== "DEPLOY") return undefined;
  const { contractAddressSalt, classHash, constructorCalldata } = transaction;
  const expected = contractAddress(0n, contractAddressSalt, classHash, constructorCalldata);
  const { contractAddress: found } = transaction;
  return mismatchOf("transaction_hash", "contractAddress", expected, found, index);
}

/** Verifies that there is one receipt per transaction. */
export function receiptCountMismatch(
  transactions: readonly HashedTransaction[],
  receipts: readonly Receipt[],
): Mismatch | undefined {
  return mismatchOf("receipt", "receipts", transactions.length, receipts.length);
}

/** Verifies that a receipt belongs to its transaction. */
export function receiptMismatch(
  { hash }: HashedTransaction,
  receipt: Pick<Receipt, "transactionHash"> | undefined,
  index: number,
): Mismatch | undefined {
  return mismatchOf("receipt", "transactionHash", hash, receipt?.transactionHash, index);
}
