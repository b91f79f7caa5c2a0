import type { CairoVm } from "#engine/cairo/index.ts";
import type {
  AccountTransaction,
  ExecutableClass,
  FeeUnit,
  HashedTransaction,
  L1Handler,
} from "#protocol/chain/index.ts";
import type { GasVector } from "#protocol/versions/index.ts";
import { CachedState, type StateReader } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import type { CallFailure } from "../call/error-text.ts";
import type { Cost } from "../fee/cost.ts";
import { gasFee, NO_GAS, type PriceVector } from "../fee/gas-vector.ts";
import { minimalGas } from "../fee/minimal-gas.ts";
import { accountShape, codeSizeOf } from "../fee/shape.ts";
import { runAccountTransaction } from "../transaction/account.ts";
import { accountContext, type TransactionContext } from "../transaction/context.ts";
import { runL1Handler } from "../transaction/l1-handler.ts";
import type { Executed, RunInput, RunResult } from "../transaction/run.ts";

/** A transaction whose fee is to be estimated or that is to be simulated. */
export interface SimulatedTransaction {
  readonly transaction: HashedTransaction<AccountTransaction | L1Handler>;
  /** Its version has the query bit. */
  readonly onlyQuery?: boolean;
  /** The class that a declare transaction brings. */
  readonly declared?: ExecutableClass;
}

/** An estimate: gas that the bounds should allow, current prices and their product. */
export interface FeeEstimate {
  readonly gas: GasVector;
  readonly prices: PriceVector;
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

/** The search for an L2 gas limit stops when the limits are this close. */
const SEARCH_MARGIN = 1_000_000n;

/**
 * Estimates fees, each transaction on the state that the previous one leaves. No fee is charged.
 * L2 gas is found by search, because contracts can behave differently when they have less of it:
 * what a run without a limit used plus ten percent, or more where that is not enough.
 *
 * Source: reference section 2.8.
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
        validate: !options.skipValidate,
        chargeFee: false,
        strictNonce: false,
        onlyQuery: simulated.onlyQuery ?? false,
      },
    };
    const run = runWithGasSearch(input, simulated);
    if (run.result.kind === "cancelled") return run.result;
    if (run.result.kind === "rejected") {
      return { kind: "failed", index, reason: run.result.error.message };
    }
    const { revertReason } = run.result;
    if (revertReason !== null) return { kind: "failed", index, reason: revertReason };
    estimates.push(estimateOf(simulated, run.result, run.l2GasLimit));
  }
  return { kind: "ok", estimates };
}

/** The estimate for an executed transaction: at least the minimal gas, prices without the tip. */
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
  const { prices, feeUnit } = context;
  return { gas, prices, overallFee: gasFee(gas, prices, 0n), unit: feeUnit };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

interface SearchResult {
  readonly result: RunResult;
  /** Set where a limit was searched. */
  readonly l2GasLimit?: bigint;
}

function runWithGasSearch(input: RunInput, simulated: SimulatedTransaction): SearchResult {
  const { hash, transaction } = simulated.transaction;
  if (transaction.type === "L1_HANDLER") {
    return { result: runL1Handler(input, { hash, transaction }) };
  }
  const { declared } = simulated;
  if (transaction.version !== 3 || transaction.resourceBounds.l1DataGas === null) {
    return { result: runAccountTransaction(input, { hash, transaction }, declared) };
  }
  const { state, block } = input;
  const start = state.checkpoint();
  const { resourceBounds } = transaction;
  const runWith = (maxAmount: bigint): RunResult => {
    state.revertTo(start);
    const bounds = { ...resourceBounds, l2Gas: { ...resourceBounds.l2Gas, maxAmount } };
    const limited: AccountTransaction = { ...transaction, resourceBounds: bounds };
    return runAccountTransaction(input, { hash, transaction: limited }, declared);
  };
  const { os } = block.constants;
  const most = os.executeMaxSierraGas + os.validateMaxSierraGas;
  const unlimited = runWith(most);
  if (!isSuccess(unlimited)) return { result: unlimited };
  const used = unlimited.cost.gas.l2Gas;
  const withMargin = used + used / 10n;
  const result = runWith(withMargin);
  if (result.kind === "cancelled") return { result };
  if (isSuccess(result)) return { result, l2GasLimit: withMargin };
  let lower = used;
  let upper = most;
  while (upper - lower > SEARCH_MARGIN) {
    const middle = (lower + upper) / 2n;
    const attempt = runWith(middle);
    if (attempt.kind === "cancelled") return { result: attempt };
    if (isSuccess(attempt)) upper = middle;
    else lower = middle;
  }
  return { result: runWith(upper), l2GasLimit: upper };
}

function isSuccess(result: RunResult): result is Executed {
  return result.kind === "done" && result.revertReason === null;
}
