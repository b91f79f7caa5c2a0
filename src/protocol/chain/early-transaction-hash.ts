import type { Felt } from "#base/primitives/index.ts";
import { pedersenArray } from "#protocol/crypto/index.ts";
import type { InvokeV0, L1Handler, Transaction } from "./transaction.ts";
import { CONSTRUCTOR_SELECTOR, DEPLOY, INVOKE, L1_HANDLER } from "./transaction-prefix.ts";

/**
 * Returns the hashes, other than `transactionHash`, that a transaction in mainnet blocks up to 1470
 * may have: their rules covered neither version nor fee. Empty for types that came later.
 */
export function earlyTransactionHashes(transaction: Transaction, chainId: Felt): Felt[] {
  switch (transaction.type) {
    case "INVOKE":
      return transaction.version === 0 ? [unversionedInvoke(transaction, chainId)] : [];
    case "DEPLOY":
      return [
        pedersenArray([
          DEPLOY,
          transaction.contractAddress,
          CONSTRUCTOR_SELECTOR,
          pedersenArray(transaction.constructorCalldata),
          chainId,
        ]),
      ];
    case "L1_HANDLER": {
      const { contractAddress, entryPointSelector, calldata } = transaction;
      const call = [contractAddress, entryPointSelector, pedersenArray(calldata)];
      return [
        unversionedInvoke(transaction, chainId),
        pedersenArray([L1_HANDLER, ...call, chainId, transaction.nonce]),
      ];
    }
    default:
      return [];
  }
}

function unversionedInvoke(transaction: InvokeV0 | L1Handler, chainId: Felt): Felt {
  const { contractAddress, entryPointSelector, calldata } = transaction;
  return pedersenArray([
    INVOKE,
    contractAddress,
    entryPointSelector,
    pedersenArray(calldata),
    chainId,
  ]);
}
