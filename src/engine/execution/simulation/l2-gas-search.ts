import type { AccountTransaction, HashedTransaction, L1Handler } from "#protocol/chain/index.ts";
import { runAccountTransaction } from "../transaction/account.ts";
import { runL1Handler } from "../transaction/l1-handler.ts";
import type { Executed, RunInput, RunResult } from "../transaction/run.ts";
import type { SimulatedTransaction } from "./simulated.ts";

/** The search for an L2 gas limit stops when the limits are this close. */
const SEARCH_MARGIN = 1_000_000n;

/** A run on the caller's state, which keeps what it wrote. */
export interface SearchResult {
  readonly result: RunResult;
  /** Set where a limit was searched and found. */
  readonly l2GasLimit?: bigint;
}

/** An L2 gas limit that is enough, and the cost of a run with it. */
export interface FoundL2Gas extends Pick<Executed, "cost"> {
  readonly kind: "found";
  readonly limit: bigint;
}

/**
 * The L2 gas limit with which a transaction does what it does without one, or the same with the margin
 * for a transaction that reverts anyway. The state is left changed.
 *
 * @returns `undefined` where there is none: for bounds without L2 gas, and when the transaction cannot
 *   be executed at all
 */
export function findL2Gas(
  input: RunInput,
  simulated: SimulatedTransaction,
): FoundL2Gas | { readonly kind: "cancelled" } | undefined {
  if (!hasL2GasBound(simulated.transaction)) return undefined;
  const { trace: _trace, ...flags } = input.flags;
  const free = { ...input, flags: { ...flags, chargeFee: false } };
  const { result, l2GasLimit } = runWithGasSearch(free, simulated);
  if (result.kind === "cancelled") return result;
  if (result.kind === "rejected") return undefined;
  const { cost } = result;
  return { kind: "found", cost, limit: l2GasLimit ?? withMargin(cost.gas.l2Gas) };
}

/**
 * Runs a transaction with the least L2 gas limit that is enough, because contracts can behave
 * differently when they have less of it: what a run without a limit used plus ten percent, or more
 * where that is not enough. Where there is no L2 gas bound, it runs once.
 */
export function runWithGasSearch(input: RunInput, simulated: SimulatedTransaction): SearchResult {
  const { transaction: hashed } = simulated;
  if (!hasL2GasBound(hashed)) return { result: run(input, simulated, hashed) };
  const { state, block } = input;
  const start = state.checkpoint();
  const runWith = (limit: bigint): RunResult => {
    state.revertTo(start);
    return run(input, simulated, withL2GasLimit(hashed, limit));
  };
  const { os } = block.constants;
  const most = os.executeMaxSierraGas + os.validateMaxSierraGas;
  const unlimited = runWith(most);
  if (!isSuccess(unlimited)) return { result: unlimited };
  const used = unlimited.cost.gas.l2Gas;
  const first = withMargin(used);
  const result = runWith(first);
  if (result.kind === "cancelled") return { result };
  if (isSuccess(result)) return { result, l2GasLimit: first };
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

/** The transaction with another L2 gas bound; one without such a bound as it is. */
export function withL2GasLimit<T extends HashedTransaction<AccountTransaction | L1Handler>>(
  hashed: T,
  maxAmount: bigint,
): HashedTransaction<AccountTransaction | L1Handler> {
  if (!hasL2GasBound(hashed)) return hashed;
  const { hash, transaction } = hashed;
  const { resourceBounds } = transaction;
  const l2Gas = { ...resourceBounds.l2Gas, maxAmount };
  return { hash, transaction: { ...transaction, resourceBounds: { ...resourceBounds, l2Gas } } };
}

type Bounded = Extract<AccountTransaction, { version: 3 }>;

function hasL2GasBound(
  hashed: HashedTransaction<AccountTransaction | L1Handler>,
): hashed is HashedTransaction<Bounded> {
  const { transaction } = hashed;
  return transaction.version === 3 && transaction.resourceBounds.l1DataGas !== null;
}

function withMargin(l2Gas: bigint): bigint {
  return l2Gas + l2Gas / 10n;
}

function run(
  input: RunInput,
  { declared }: SimulatedTransaction,
  { hash, transaction }: HashedTransaction<AccountTransaction | L1Handler>,
): RunResult {
  return transaction.type === "L1_HANDLER"
    ? runL1Handler(input, { hash, transaction })
    : runAccountTransaction(input, { hash, transaction }, declared);
}

function isSuccess(result: RunResult): result is Executed {
  return result.kind === "done" && result.revertReason === null;
}
