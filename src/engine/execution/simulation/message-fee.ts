import type { CairoVm } from "#engine/cairo/index.ts";
import type { HashedTransaction, L1Handler } from "#protocol/chain/index.ts";
import { CachedState, type StateReader } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import type { CallFailure } from "../call/error-text.ts";
import { gasFee, l1GasFromL2 } from "../fee/gas-vector.ts";
import { runL1Handler } from "../transaction/l1-handler.ts";
import { estimateOf, type FeeEstimate } from "./estimate.ts";

/** Result of an estimate for a message from L1. */
export type MessageFeeOutcome =
  | { readonly kind: "ok"; readonly estimate: FeeEstimate }
  | { readonly kind: "contract_not_found" }
  | { readonly kind: "failed"; readonly failure: CallFailure | string }
  | { readonly kind: "cancelled" };

/**
 * Estimates the cost of handling an L1 message (`starknet_estimateMessageFee`). The message counts as paid
 * for; a failing handler yields no estimate.
 *
 * The sender pays on L1, where nothing bounds L2 gas: L2 gas of the computation is shown as L1 gas, at the
 * rate of one step.
 *
 * Source: `rpc-execution`, `fee_estimates/full.json`.
 */
export function estimateMessageFee(
  vm: CairoVm,
  reader: StateReader,
  block: BlockContext,
  hashed: HashedTransaction<L1Handler>,
): MessageFeeOutcome {
  if (reader.classHashAt(hashed.transaction.contractAddress) === 0n) {
    return { kind: "contract_not_found" };
  }
  const result = runL1Handler({ vm, state: new CachedState(reader), block, flags: {} }, hashed);
  switch (result.kind) {
    case "cancelled":
      return result;
    case "rejected":
      return { kind: "failed", failure: result.error.failure ?? result.error.message };
    case "done":
      return result.revertReason === null
        ? { kind: "ok", estimate: inL1Gas(block, estimateOf({ transaction: hashed }, result)) }
        : { kind: "failed", failure: result.failure ?? result.revertReason };
  }
}

function inL1Gas({ constants }: BlockContext, { gas, prices, unit }: FeeEstimate): FeeEstimate {
  const l1Gas = gas.l1Gas + l1GasFromL2(constants, gas.l2Gas);
  const paid = { l1Gas, l1DataGas: gas.l1DataGas, l2Gas: 0n };
  return { gas: paid, prices, unit, overallFee: gasFee(paid, prices, 0n) };
}
