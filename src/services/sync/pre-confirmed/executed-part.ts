import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type HashedTransaction,
  inHashedForm,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { PreConfirmedPart } from "#io/feeder/index.ts";
import { refuse } from "../refusal.ts";

/** An executed transaction of a block that is not accepted. */
export interface Executed {
  readonly transaction: HashedTransaction;
  readonly receipt: Receipt;
  readonly stateDiff: StateDiff;
}

/**
 * The executed transactions at the head of what was told; candidates, which come behind them, are left
 * out until they are executed.
 *
 * @throws {BlockRefused} when a receipt is not that of its transaction
 */
export function executedPart(blockNumber: number, part: PreConfirmedPart): Executed[] {
  const executed: Executed[] = [];
  for (const [i, transaction] of part.transactions.entries()) {
    const receipt = part.receipts[i] ?? null;
    const stateDiff = part.stateDiffs[i] ?? null;
    if (receipt === null || stateDiff === null) break;
    if (receipt.transactionHash !== transaction.hash) {
      const found = `${hexFromFelt(receipt.transactionHash)} beside transaction ${hexFromFelt(transaction.hash)}`;
      refuse("receipt", blockNumber, `pre-confirmed block ${blockNumber}: the receipt of ${found}`);
    }
    executed.push({ transaction, receipt, stateDiff });
  }
  return executed;
}

/**
 * Verifies the hashes of transactions: whoever signed one has signed its hash.
 *
 * @returns them in the form that the hash is of
 * @throws {BlockRefused} for the first that differs
 */
export function requireHashes(
  blockNumber: number,
  executed: readonly Executed[],
  chainId: Felt,
): readonly Executed[] {
  return executed.map(({ transaction: told, ...result }) => {
    const transaction = inHashedForm(told.transaction, told.hash, chainId);
    if (transaction.hash !== told.hash) {
      const found = `told ${hexFromFelt(told.hash)}, computed ${hexFromFelt(transaction.hash)}`;
      refuse("transaction_hash", blockNumber, `pre-confirmed block ${blockNumber}: ${found}`);
    }
    return { transaction, ...result };
  });
}
