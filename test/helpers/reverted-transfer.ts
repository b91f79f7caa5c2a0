import type { RunningChain } from "./binary.ts";
import { transferCall } from "./tokens.ts";

/** More than any account has, in fri. */
const TOO_MUCH = 10n ** 30n;

/** Sends two transfers in one transaction, the second of more than the account has. @returns its hash */
export async function revertedTransfer(
  chain: Pick<RunningChain, "account" | "provider">,
): Promise<string> {
  const resourceBounds = {
    l1_gas: { max_amount: 100_000n, max_price_per_unit: 10n ** 12n },
    l2_gas: { max_amount: 50_000_000n, max_price_per_unit: 10n ** 10n },
    l1_data_gas: { max_amount: 10_000n, max_price_per_unit: 10n ** 12n },
  };
  const calls = [transferCall("0x122", 1n), transferCall("0x123", TOO_MUCH)];
  const { transaction_hash: hash } = await chain
    .account(0)
    .execute(calls, { resourceBounds, tip: 0n });
  await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
  return hash;
}
