import type { CairoVm } from "#engine/cairo/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { callContract } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { contextFor, type NodeSetup, warmsUp } from "../../setup/setup.ts";

const BALANCE_OF = selectorFromName("balance_of");

/**
 * Makes the first transaction as fast as the next ones: asks the fee token for a balance, which loads
 * its class, instantiates the kernel and lets the engine compile what every transaction runs. Changes
 * nothing; without a token, or when the node is not to warm up, there is nothing to do.
 */
export function warmUp(setup: NodeSetup, vm: CairoVm, state: StateReader, info: BlockInfo): void {
  if (!warmsUp(setup)) return;
  const { nativeFeeTokenAddress: contractAddress } = setup.config;
  if (state.classHashAt(contractAddress) === 0n) return;
  const call = { contractAddress, entryPointSelector: BALANCE_OF, calldata: [1n] };
  for (let i = 0; i < 3; i++) callContract(vm, state, contextFor(setup, info), call);
}
