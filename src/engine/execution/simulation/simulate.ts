import type { CairoVm } from "#engine/cairo/index.ts";
import { type ReadSet, RecordingReader, type StateReader } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import { BlockExecutor } from "../block/executor.ts";
import type { TransactionExecutionInfo } from "../block/outcome.ts";
import type { CallFailure } from "../call/error-text.ts";
import { TraceMemory } from "../call/trace-memory.ts";
import { contextOf } from "../transaction/context.ts";
import type { ExecutionFlags } from "../transaction/flags.ts";
import { enforcesFee } from "../transaction/max-fee.ts";
import { estimateOf, type FeeEstimate } from "./estimate.ts";
import { findL2Gas, type FoundL2Gas, withL2GasLimit } from "./l2-gas-search.ts";
import type { SimulatedTransaction } from "./simulated.ts";
import { type TransactionTrace, transactionTrace, withoutReverted } from "./trace.ts";

/** Simulated transaction: its trace and estimated cost. */
export interface Simulation {
  readonly trace: TransactionTrace;
  readonly estimate: FeeEstimate;
}

/**
 * Result of a simulation; `index` is the position of the transaction that could not be executed.
 * `initialReads` contains the reads of all transactions from the state before the first one.
 */
export type SimulationOutcome =
  | {
      readonly kind: "ok";
      readonly simulations: readonly Simulation[];
      readonly initialReads: ReadSet;
    }
  | {
      readonly kind: "failed";
      readonly index: number;
      readonly reason: string;
      readonly failure?: CallFailure;
    }
  /** Index of the one trace above the limit; `null` if only their sum exceeds it. */
  | { readonly kind: "too_large"; readonly index: number | null }
  | { readonly kind: "cancelled" };

/**
 * Steps that a simulation skips. `skipValidate` skips `__validate__`, and accepts nonces above the account's.
 * `skipFeeCharge` neither checks nor charges the fee.
 */
export interface SimulationOptions {
  readonly skipValidate: boolean;
  readonly skipFeeCharge: boolean;
}

/** Limits of {@link simulateTransactions}. */
export interface SimulationLimits {
  /** Approximate maximum size of all traces together. */
  readonly maxTraceBytes: number;
}

/**
 * Executes transactions sequentially outside any block; reverted ones also have a trace.
 *
 * The L2 gas estimate is searched as in `estimateFee`. If the fee is charged, the trace is from a run with
 * the sender's own bounds, as in a block. Otherwise the bounds are ignored, and the run has the L2 gas limit
 * that the search found.
 *
 * Source: the simulations of papyrus' `rpc-execution` crate.
 */
export function simulateTransactions(
  vm: CairoVm,
  reader: StateReader,
  block: BlockContext,
  transactions: readonly SimulatedTransaction[],
  options: SimulationOptions,
  { maxTraceBytes }: SimulationLimits = { maxTraceBytes: Number.POSITIVE_INFINITY },
): SimulationOutcome {
  const unlimited: BlockContext = { ...block, bouncer: { limits: {} } };
  const recording = new RecordingReader(reader);
  const executor = new BlockExecutor(vm, recording, unlimited);
  const simulations: Simulation[] = [];
  let traceBytes = 0;
  for (const [index, simulated] of transactions.entries()) {
    const traceMemory = new TraceMemory(maxTraceBytes);
    const flags = flagsOf(simulated, options, traceMemory);
    const state = executor.state();
    const start = state.checkpoint();
    const found = findL2Gas({ vm, state, block: unlimited, flags }, simulated);
    state.revertTo(start);
    if (found?.kind === "cancelled") return found;
    const { transaction, declared } = simulated;
    const run =
      found === undefined || chargesFee(simulated, flags)
        ? transaction
        : withL2GasLimit(transaction, found.limit);
    const outcome = executor.execute(run, flags, declared);
    switch (outcome.kind) {
      case "cancelled":
        return outcome;
      case "rejected": {
        const { message, failure } = outcome.error;
        const reason = { kind: "failed", index, reason: message } as const;
        return failure === undefined ? reason : { ...reason, failure };
      }
      case "block_full":
        return { kind: "failed", index, reason: "The block is full." };
      case "included": {
        const { info } = outcome;
        if (traceMemory.isExceeded) return { kind: "too_large", index };
        const state = executor.reader();
        const complete = transactionTrace(unlimited, transaction, info, state, traceMemory);
        const isInRoom = traceBytes + complete.sizeBytes <= maxTraceBytes;
        const trace = isInRoom ? complete : withoutReverted(complete);
        if (trace.sizeBytes > maxTraceBytes) return { kind: "too_large", index };
        traceBytes += trace.sizeBytes;
        if (traceBytes > maxTraceBytes) return { kind: "too_large", index: null };
        simulations.push({ trace, estimate: estimateFor(unlimited, simulated, info, found) });
      }
    }
  }
  return { kind: "ok", simulations, initialReads: recording.readSet() };
}

function flagsOf(
  simulated: SimulatedTransaction,
  options: SimulationOptions,
  trace: TraceMemory,
): ExecutionFlags {
  return {
    validate: !options.skipValidate && simulated.isImpersonated !== true,
    strictNonce: !options.skipValidate,
    onlyQuery: simulated.onlyQuery ?? false,
    trace,
    ...(options.skipFeeCharge ? { chargeFee: false } : {}),
  };
}

function chargesFee(
  { transaction: { transaction } }: SimulatedTransaction,
  { chargeFee }: ExecutionFlags,
): boolean {
  return transaction.type !== "L1_HANDLER" && (chargeFee ?? enforcesFee(transaction));
}

function estimateFor(
  block: BlockContext,
  simulated: SimulatedTransaction,
  info: TransactionExecutionInfo,
  found: FoundL2Gas | undefined,
): FeeEstimate {
  const { resources, gas, daGas, actualFee } = info;
  const context = contextOf(block, simulated.transaction, simulated.onlyQuery);
  const cost = { resources, gas, daGas, fee: actualFee };
  return found === undefined
    ? estimateOf(simulated, { context, cost })
    : estimateOf(simulated, { context, cost: found.cost }, found.limit);
}
