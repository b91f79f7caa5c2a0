import type { AccountTransaction, HashedTransaction, L1Handler } from "#protocol/chain/index.ts";
import { runAccountTransaction } from "../transaction/account.ts";
import { runL1Handler } from "../transaction/l1-handler.ts";
import type { Executed, RunInput, RunResult } from "../transaction/run.ts";
import type { SimulatedTransaction } from "./simulated.ts";

/** Interval at which the search for an L2 gas limit stops. */
const SEARCH_MARGIN = 1_000_000n;

/** Result of a run on the caller's state, which keeps its writes. */
export interface SearchResult {
  readonly result: RunResult;
  /** Set if a limit was searched and found. */
  readonly l2GasLimit?: bigint;
}

/** Sufficient L2 gas limit, and the cost of a run with it. */
export interface FoundL2Gas extends Pick<Executed, "cost"> {
  readonly kind: "found";
  readonly limit: bigint;
}

/**
 * Finds the L2 gas limit with which a transaction behaves as it does without one. For a transaction that
 * reverts anyway, it is the used gas plus the margin. Changes the state.
 *
 * @returns `undefined` for bounds without L2 gas, and when the transaction cannot be executed at all
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
 * Runs a transaction with a sufficient L2 gas limit, found by search because contracts can behave differently
 * with less of it. The limit is the usage of an unlimited run plus ten percent, or more if that is not
 * enough. Without an L2 gas bound, it runs once.
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
  const maximum = os.executeMaxSierraGas + os.validateMaxSierraGas;
  const unlimited = runWith(maximum);
  if (!isSuccess(unlimited)) return { result: unlimited };
  const used = unlimited.cost.gas.l2Gas;
  const first = withMargin(used);
  const result = runWith(first);
  if (result.kind === "cancelled") return { result };
  if (isSuccess(result)) return { result, l2GasLimit: first };
  let lower = used;
  let upper = maximum;
  while (upper - lower > SEARCH_MARGIN) {
    const middle = (lower + upper) / 2n;
    const attempt = runWith(middle);
    if (attempt.kind === "cancelled") return { result: attempt };
    if (isSuccess(attempt)) upper = middle;
    else lower = middle;
  }
  return { result: runWith(upper), l2GasLimit: upper };
}

/** Transaction with its L2 gas bound replaced; returned unchanged if it has no such bound. */
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
