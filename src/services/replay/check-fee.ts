import { enforcesFee } from "#engine/execution/index.ts";
import type { Transaction } from "#protocol/chain/index.ts";
import type { ToldReceipt } from "./compare-receipts.ts";
import { differ, type TransactionPlace } from "./difference.ts";

/**
 * Compares whether fees are taken, before anything is executed: no answer says it, so that the setting
 * may be wrong, and most of what differs then would not lead there. Prices are never 0: who can pay
 * pays something.
 *
 * @throws {DifferenceFound} when the node takes a fee and we would not, or the other way round
 */
export function checkFeeTaken(
  transaction: Transaction,
  { actualFee }: Pick<ToldReceipt, "actualFee">,
  chargeFees: boolean,
  place: TransactionPlace,
): void {
  const field = "receipt.actual_fee.amount";
  if (!chargeFees && actualFee > 0n) differ(field, 0n, actualFee, place);
  if (chargeFees && actualFee === 0n && allowsFee(transaction)) {
    differ(field, "a fee, unless the chain takes none (--no-charge-fee)", actualFee, place);
  }
}

function allowsFee(transaction: Transaction): boolean {
  const isPaidHere = transaction.type !== "L1_HANDLER" && transaction.type !== "DEPLOY";
  return isPaidHere && enforcesFee(transaction);
}
