import { senderAddressOf } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { SimulatedTransaction } from "#engine/execution/index.ts";

/** Marks simulated transactions of impersonated accounts, which a block would not validate either. */
export function markImpersonated(
  transactions: readonly SimulatedTransaction[],
  isImpersonatedAccount: (address: Felt) => boolean,
): readonly SimulatedTransaction[] {
  return transactions.map((simulated) => {
    const { transaction } = simulated.transaction;
    const isImpersonated =
      transaction.type !== "L1_HANDLER" && isImpersonatedAccount(senderAddressOf(transaction));
    return isImpersonated ? { ...simulated, isImpersonated } : simulated;
  });
}
