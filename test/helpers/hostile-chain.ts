import { type CairoVm, createCairoVm } from "#engine/cairo/index.ts";
import { type HashedTransaction, type InvokeV3, transactionHash } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { callContract, type CallOutcome } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { InitialState } from "#test/helpers/scenario/initial-state.ts";
import { HOSTILE, hostileClass } from "./hostile-class.ts";
import { transferBlock } from "./transfer-chain.ts";

export { HOSTILE, hostileClass } from "./hostile-class.ts";

/** A state with the hostile contract. */
export function hostileState(): InitialState {
  const state = new InitialState();
  state.classes.set(hostileClass.classHash, hostileClass);
  state.classHashes.set(HOSTILE, hostileClass.classHash);
  return state;
}

/** Calls `run` of the hostile contract with records of calldata, in the newest protocol version. */
export function callHostile(
  calldata: readonly Felt[],
  vm: CairoVm = ownMachine(),
  state = hostileState(),
): CallOutcome {
  const entryPointSelector = selectorFromName("run");
  const block = transferBlock({ limits: {} }, 10_000_000);
  return callContract(vm, state, block, { contractAddress: HOSTILE, entryPointSelector, calldata });
}

/**
 * An invoke of {@link HOSTILE} as an account: `__validate__` runs the first record of its calldata,
 * `__execute__` the second. It pays nothing.
 */
export function hostileInvoke(calldata: readonly Felt[], nonce = 0n): HashedTransaction<InvokeV3> {
  const limit = { maxAmount: 0n, maxPricePerUnit: 0n };
  const transaction: InvokeV3 = {
    type: "INVOKE",
    version: 3,
    resourceBounds: {
      l1Gas: limit,
      l2Gas: { maxAmount: 10n ** 12n, maxPricePerUnit: 0n },
      l1DataGas: limit,
    },
    tip: 0n,
    paymasterData: [],
    nonceDataAvailabilityMode: 0,
    feeDataAvailabilityMode: 0,
    accountDeploymentData: [],
    proofFacts: [],
    signature: [],
    nonce,
    senderAddress: HOSTILE,
    calldata,
  };
  return { hash: transactionHash(transaction, transferBlock().chainId), transaction };
}

let machine: CairoVm | undefined;

/** One machine for all calls, with the whole address space. */
function ownMachine(): CairoVm {
  return (machine ??= createCairoVm({ maxSpanBytes: 2 ** 32 }));
}
