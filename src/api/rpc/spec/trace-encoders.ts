import type { StateDiff } from "#protocol/chain/index.ts";
import type { JsonObject, JsonSource, JsonSourceObject } from "#base/codec/index.ts";
import { compareFelts, type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { FeeEstimate, Simulation, TransactionTrace } from "#engine/execution/index.ts";
import type { ReadSet } from "#engine/state/index.ts";
import { type CallShape, invocationEncoder } from "./invocation-encoder.ts";
import type { LongEncoder } from "./answers.ts";
import type { OriginTrace } from "./origin-trace.ts";
import { type TraceLists, writeTraces } from "./trace-lists.ts";
import type { SpecVersion } from "./version.ts";

/** Encoders of traces, simulations and message fee estimates. */
export type TraceEncoders = Pick<
  SpecVersion,
  "transactionTrace" | "originTrace" | "simulations" | "blockTraces" | "messageFee"
>;

/** Encoders of traces with the calls of reverted executions, which the specification does not have. */
export interface WholeTraceEncoders {
  /** Encodes `{trace, reverted}`: the trace, and {@link RevertedTrace}. */
  readonly wholeTrace: LongEncoder<TransactionTrace>;
  /** Encodes `{trace, reverted, fee_estimation}`. */
  readonly wholeSimulation: LongEncoder<Simulation>;
}

/** Differences between versions in their traces. */
export interface TraceShape extends CallShape {
  readonly stateDiff: (diff: StateDiff) => JsonObject;
  /** EXECUTION_RESOURCES of the transaction. */
  readonly transactionResources: (trace: TransactionTrace) => JsonObject;
  readonly estimate: (estimate: FeeEstimate) => JsonObject;
  /** Encodes `function_invocation` of a reverted L1 handler. */
  readonly revertedHandler: (trace: TransactionTrace, reason: string) => JsonObject;
  /** Gives a trace of a fork's origin the form of this version. */
  readonly originTrace: (trace: OriginTrace) => JsonObject;
}

/** Creates the trace encoders of a version. */
export function traceEncoders(shape: TraceShape): TraceEncoders & WholeTraceEncoders {
  const invocation = invocationEncoder(shape);

  /** Returns the members with calls; calls that the transaction did not make are omitted. */
  function calls(trace: TransactionTrace, lists: TraceLists): JsonSourceObject {
    const { info, callGas, transaction } = trace;
    const { validate, execute, feeTransfer, revertReason } = info;
    const optional = (name: string, call: typeof validate): JsonSourceObject =>
      call === null ? {} : { [name]: invocation(call, callGas, lists) };
    const ends = {
      ...optional("validate_invocation", validate),
      ...optional("fee_transfer_invocation", feeTransfer),
    };
    switch (transaction.transaction.type) {
      case "INVOKE":
        return revertReason === null
          ? { ...ends, ...optional("execute_invocation", execute) }
          : { ...ends, execute_invocation: { revert_reason: revertReason } };
      case "L1_HANDLER":
        return revertReason === null
          ? optional("function_invocation", execute)
          : { function_invocation: shape.revertedHandler(trace, revertReason) };
      default:
        return { ...ends, ...optional("constructor_invocation", execute) };
    }
  }

  const transactionTrace = (trace: TransactionTrace, lists: TraceLists): JsonSourceObject => ({
    type: trace.transaction.transaction.type,
    ...calls(trace, lists),
    state_diff: shape.stateDiff(trace.info.stateDiff),
    execution_resources: shape.transactionResources(trace),
  });

  /** `invocation` is `null` if the calls are too large; `path` leads to the call at fault, `null` if none is. */
  const reverted = ({ reverted: calls }: TransactionTrace, lists: TraceLists): JsonSource => {
    if (calls === null) return null;
    if (calls === "too_large") return { invocation: null, path: null };
    const { root, path, callGas } = calls;
    return { invocation: invocation(root, callGas, lists), path: path === null ? null : [...path] };
  };

  const whole = (trace: TransactionTrace, lists: TraceLists): JsonSourceObject => ({
    trace: transactionTrace(trace, lists),
    reverted: reverted(trace, lists),
  });

  const simulation = ({ trace, estimate }: Simulation, lists: TraceLists): JsonSourceObject => ({
    transaction_trace: transactionTrace(trace, lists),
    fee_estimation: shape.estimate(estimate),
  });

  const blockTrace = (trace: TransactionTrace, lists: TraceLists): JsonSourceObject => ({
    transaction_hash: hexFromFelt(trace.transaction.hash),
    trace_root: transactionTrace(trace, lists),
  });

  return {
    transactionTrace: (trace) => writeTraces([trace], (lists) => transactionTrace(trace, lists)),
    simulations: ({ simulations, initialReads }) =>
      writeTraces(
        simulations.map(({ trace }) => trace),
        (lists) => {
          const list = lists.of(simulations, (simulated) => simulation(simulated, lists));
          if (initialReads === undefined) return list;
          return { simulated_transactions: list, initial_reads: encodeInitialReads(initialReads) };
        },
      ),
    blockTraces: ({ traces, initialReads }) =>
      writeTraces(traces, (lists) => {
        const list = lists.of(traces, (trace) => blockTrace(trace, lists));
        if (initialReads === undefined) return list;
        const reads = lists.later(() => encodeInitialReads(initialReads()));
        return { traces: list, initial_reads: reads };
      }),
    wholeTrace: (trace) => writeTraces([withAllFelts(trace)], (lists) => whole(trace, lists)),
    wholeSimulation: ({ trace, estimate }) =>
      writeTraces([withAllFelts(trace)], (lists) => ({
        ...whole(trace, lists),
        fee_estimation: shape.estimate(estimate),
      })),
    originTrace: shape.originTrace,
    messageFee: shape.estimate,
  };
}

/** Counts the felts of a reverted execution, too. */
function withAllFelts(trace: TransactionTrace): TransactionTrace {
  const { reverted, felts } = trace;
  if (reverted === null || reverted === "too_large") return trace;
  return { ...trace, felts: felts + reverted.felts };
}

/** Encodes INITIAL_READS, with lists in ascending order. */
export function encodeInitialReads({ storage, nonces, classHashes, classes }: ReadSet): JsonObject {
  return {
    storage: ascending(storage).flatMap(([contractAddress, cells]) =>
      ascending(cells).map(([key, value]) => ({
        contract_address: hexFromFelt(contractAddress),
        key: hexFromFelt(key),
        value: hexFromFelt(value),
      })),
    ),
    nonces: ascending(nonces).map(([contractAddress, nonce]) => ({
      contract_address: hexFromFelt(contractAddress),
      nonce: hexFromFelt(nonce),
    })),
    class_hashes: ascending(classHashes).map(([contractAddress, classHash]) => ({
      contract_address: hexFromFelt(contractAddress),
      class_hash: hexFromFelt(classHash),
    })),
    declared_contracts: ascending(classes).map(([classHash, isDeclared]) => ({
      class_hash: hexFromFelt(classHash),
      is_declared: isDeclared,
    })),
  };
}

function ascending<T>(map: ReadonlyMap<Felt, T>): (readonly [Felt, T])[] {
  return [...map].sort(([a], [b]) => compareFelts(a, b));
}
