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

/** Fee estimate: gas that the bounds should allow, and its current price. */
export interface FeeEstimate {
  readonly gas: GasVector;
  /** Current prices, without the tip. */
  readonly prices: PriceVector;
  /** Fee for all of `gas` at these prices; if the protocol counts a tip, it is added to the L2 gas price. */
  readonly overallFee: bigint;
  readonly unit: FeeUnit;
}

/** Result of an estimate; `index` is the position of the failed transaction. */
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
 * Estimates fees, executing each transaction on the state left by the previous one. No fee is charged. L2 gas
 * is found by search, because contracts can behave differently with less of it. The result is the usage of an
 * unlimited run plus ten percent, or more if that is not enough.
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

/** Estimate for an executed transaction: at least the minimal gas. */
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

/** Reason and, if known, failure of an unsuccessful run; `undefined` for a success. */
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
