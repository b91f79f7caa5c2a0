import type { CairoVm } from "#engine/cairo/index.ts";
import type { FeeUnit } from "#protocol/chain/index.ts";
import type { GasVector } from "#protocol/versions/index.ts";
import { CachedState, type StateReader } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import type { CallFailure } from "../call/error-text.ts";
import type { Cost } from "../fee/cost.ts";
import { gasFee, NO_GAS, type PriceVector } from "../fee/gas-vector.ts";
import { minimalGas } from "../fee/minimal-gas.ts";
import { accountShape, codeSizeOf } from "../fee/shape.ts";
import { accountContext, type TransactionContext } from "../transaction/context.ts";
import type { RunInput, RunResult } from "../transaction/run.ts";
import { runWithGasSearch } from "./l2-gas-search.ts";
import type { SimulatedTransaction } from "./simulated.ts";

/** An estimate: gas that the bounds should allow, and what it costs now. */
export interface FeeEstimate {
  readonly gas: GasVector;
  /** Current prices, without the tip. */
  readonly prices: PriceVector;
  /** Of all of `gas` at these prices; a tip that the protocol counts adds to the price of L2 gas. */
  readonly overallFee: bigint;
  readonly unit: FeeUnit;
}

/** How an estimate ended; `index` names the failing transaction. */
export type EstimateOutcome =
  | { readonly kind: "ok"; readonly estimates: readonly FeeEstimate[] }
  | {
      readonly kind: "failed";
      readonly index: number;
      readonly reason: string;
      readonly failure?: CallFailure;
    }
  | { readonly kind: "cancelled" };

/**
 * Estimates fees, each transaction on the state that the previous one leaves. No fee is charged.
 * L2 gas is found by search, because contracts can behave differently when they have less of it:
 * what a run without a limit used plus ten percent, or more where that is not enough.
 *
 * Source: fee estimates of Pathfinder's `executor` crate (`estimate.rs`), with its search for the L2 gas.
 */
export function estimateFee(
  vm: CairoVm,
  reader: StateReader,
  block: BlockContext,
  transactions: readonly SimulatedTransaction[],
  options: { readonly skipValidate: boolean },
): EstimateOutcome {
  const state = new CachedState(reader);
  const estimates: FeeEstimate[] = [];
  for (const [index, simulated] of transactions.entries()) {
    const input: RunInput = {
      vm,
      state,
      block,
      flags: {
        validate: !options.skipValidate && simulated.isImpersonated !== true,
        chargeFee: false,
        strictNonce: false,
        onlyQuery: simulated.onlyQuery ?? false,
      },
    };
    const run = runWithGasSearch(input, simulated);
    if (run.result.kind === "cancelled") return run.result;
    const failed = failureOf(run.result);
    if (failed !== undefined) return { kind: "failed", index, ...failed };
    if (run.result.kind === "done") {
      estimates.push(estimateOf(simulated, run.result, run.l2GasLimit));
    }
  }
  return { kind: "ok", estimates };
}

/** The estimate for an executed transaction: at least the minimal gas. */
export function estimateOf(
  { transaction: { hash, transaction }, declared, onlyQuery }: SimulatedTransaction,
  { context, cost }: { context: TransactionContext; cost: Cost },
  l2GasLimit?: bigint,
): FeeEstimate {
  const minimal =
    transaction.type === "L1_HANDLER"
      ? NO_GAS
      : minimalGas(
          accountContext(context.block, { hash, transaction }, onlyQuery ?? false),
          accountShape(transaction, codeSizeOf(declared)),
        );
  const gas: GasVector = {
    l1Gas: larger(cost.gas.l1Gas, minimal.l1Gas),
    l1DataGas: larger(cost.gas.l1DataGas, minimal.l1DataGas),
    l2Gas: larger(l2GasLimit ?? cost.gas.l2Gas, minimal.l2Gas),
  };
  const { prices, feeUnit, tip } = context;
  return { gas, prices, overallFee: gasFee(gas, prices, tip), unit: feeUnit };
}

/** Why a run is no success, as far as that can be told; `undefined` when it is one. */
function failureOf(
  result: Exclude<RunResult, { kind: "cancelled" }>,
): { readonly reason: string; readonly failure?: CallFailure } | undefined {
  const reason = result.kind === "rejected" ? result.error.message : result.revertReason;
  if (reason === null) return undefined;
  const failure = result.kind === "rejected" ? result.error.failure : result.failure;
  return failure === undefined ? { reason } : { reason, failure };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
