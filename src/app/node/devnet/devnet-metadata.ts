import { balanceHighKey, balanceKey } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { BalanceUnit, PredeployedAccount } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { DevnetMetadata } from "./devnet-config.ts";

/**
 * Returns the accounts and token classes that the chain was created with.
 *
 * @param genesis - state after block 0
 */
export function metadataOfChain(
  accounts: readonly PredeployedAccount[],
  accountClass: Felt | null,
  tokens: Readonly<Record<BalanceUnit, Felt>>,
  genesis: StateReader,
): DevnetMetadata {
  const [first] = accounts;
  const balance = (address: Felt): bigint =>
    genesis.storageAt(tokens.FRI, balanceKey(address)) +
    (genesis.storageAt(tokens.FRI, balanceHighKey(address)) << 128n);
  return {
    accountCount: accounts.length,
    accountClass,
    initialBalance: first === undefined ? 0n : balance(first.address),
    ethClass: genesis.classHashAt(tokens.WEI),
    strkClass: genesis.classHashAt(tokens.FRI),
  };
}
