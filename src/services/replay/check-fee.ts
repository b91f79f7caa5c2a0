import { enforcesFee } from "#engine/execution/index.ts";
import type { Transaction } from "#protocol/chain/index.ts";
import type { ReportedReceipt } from "./compare-receipts.ts";
import { differ, type TransactionPlace } from "./difference.ts";

/**
 * Checks, before execution, that fees are charged or not as configured. No response states it, so the setting
 * may be wrong, and the resulting differences would rarely point to it. Prices are never 0, so a transaction
 * that can pay pays something.
 *
 * @throws {DifferenceFound} when the node charges a fee and this replay would not, or vice versa
 */
export function checkChargedFee(
  transaction: Transaction,
  { actualFee }: Pick<ReportedReceipt, "actualFee">,
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
