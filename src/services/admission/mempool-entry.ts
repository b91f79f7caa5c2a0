import {
  type AccountTransaction,
  type EncodedTransaction,
  nonceOf,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import { maxFeeOfBounds } from "#engine/execution/index.ts";
import { isFree, isFreeBootstrapDeclare } from "./free-transactions.ts";
import { gasLimitOf } from "./precedence.ts";
import type { MempoolEntry } from "./mempool/index.ts";

/**
 * Builds the mempool entry of a transaction.
 *
 * @param receivedAtMs - arrival time at this node, in Unix milliseconds
 * @param classSizeBytes - size of a declaration's class
 * @param isImpersonated - accepted with any signature
 */
export function mempoolEntryOf(
  { hash, transaction, bytes }: EncodedTransaction<AccountTransaction>,
  receivedAtMs: number,
  classSizeBytes = 0,
  isImpersonated = false,
): MempoolEntry {
  return {
    hash,
    sender: senderAddressOf(transaction),
    nonce: nonceOf(transaction),
    tip: transaction.version === 3 ? transaction.tip : 0n,
    maxL2GasPrice:
      transaction.version === 3 ? transaction.resourceBounds.l2Gas.maxPricePerUnit : 0n,
    maxFee:
      transaction.version === 3
        ? maxFeeOfBounds(transaction.resourceBounds, transaction.tip)
        : transaction.maxFee,
    gasLimit: gasLimitOf(transaction),
    kind: transaction.type,
    receivedAtMs,
    bytes,
    ...freedomOf(transaction),
    ...(classSizeBytes === 0 ? {} : { classSizeBytes }),
    ...(isImpersonated ? { isImpersonated } : {}),
  };
}

/** Flags of a transaction that pays no fee; empty for one that does. */
export function freedomOf(
  transaction: AccountTransaction,
): Pick<MempoolEntry, "isFree" | "isBootstrap"> {
  return {
    ...(isFree(transaction) ? { isFree: true } : {}),
    ...(isFreeBootstrapDeclare(transaction) ? { isBootstrap: true } : {}),
  };
}
