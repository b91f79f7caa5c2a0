import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type HashedTransaction,
  withHashedBounds,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { PreConfirmedPart } from "#io/feeder/index.ts";
import { refuse } from "../refusal.ts";

/** Executed transaction of a pre-confirmed block. */
export interface Executed {
  readonly transaction: HashedTransaction;
  readonly receipt: Receipt;
  readonly stateDiff: StateDiff;
}

/**
 * Returns the executed transactions at the start of a response. Candidates follow them and are omitted until
 * they are executed.
 *
 * @throws {BlockRefused} when a receipt belongs to another transaction
 */
export function executedPart(blockNumber: number, part: PreConfirmedPart): Executed[] {
  const executed: Executed[] = [];
  for (const [i, transaction] of part.transactions.entries()) {
    const receipt = part.receipts[i] ?? null;
    const stateDiff = part.stateDiffs[i] ?? null;
    if (receipt === null || stateDiff === null) break;
    if (receipt.transactionHash !== transaction.hash) {
      const found = `${hexFromFelt(receipt.transactionHash)} does not belong to transaction ${hexFromFelt(transaction.hash)}`;
      refuse("receipt", blockNumber, `pre-confirmed block ${blockNumber}: the receipt of ${found}`);
    }
    executed.push({ transaction, receipt, stateDiff });
  }
  return executed;
}

/**
 * Verifies transaction hashes: a signature over a transaction is one over its hash.
 *
 * @returns the transactions in the form that is hashed
 * @throws {BlockRefused} for the first that differs
 */
export function requireHashes(
  blockNumber: number,
  executed: readonly Executed[],
  chainId: Felt,
): readonly Executed[] {
  return executed.map(({ transaction: reported, ...result }) => {
    const transaction = withHashedBounds(reported.transaction, reported.hash, chainId);
    if (transaction.hash !== reported.hash) {
      const found = `reported ${hexFromFelt(reported.hash)}, computed ${hexFromFelt(transaction.hash)}`;
      refuse("transaction_hash", blockNumber, `pre-confirmed block ${blockNumber}: ${found}`);
    }
    return { transaction, ...result };
  });
}
