import type { CairoVm } from "#engine/cairo/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { callContract } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { contextFor, type NodeSetup, warmsUp } from "../../setup/setup.ts";

const BALANCE_OF = selectorFromName("balance_of");

/**
 * Warms up a machine with a balance query of the fee token: this loads its class, instantiates the kernel and
 * compiles what every transaction runs. Changes nothing. Skipped without a token, if the node does not warm
 * up, and on a fork, whose origin may not respond.
 */
export function warmUp(setup: NodeSetup, vm: CairoVm, state: StateReader, info: BlockInfo): void {
  if (!warmsUp(setup) || setup.fork !== null) return;
  const { nativeFeeTokenAddress: contractAddress } = setup.config;
  if (state.classHashAt(contractAddress) === 0n) return;
  const call = { contractAddress, entryPointSelector: BALANCE_OF, calldata: [1n] };
  for (let i = 0; i < 3; i++) callContract(vm, state, contextFor(setup, info), call);
}
