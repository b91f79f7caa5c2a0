import { NodeError } from "#base/errors/index.ts";
import { TraceMemory, transactionTrace } from "#engine/execution/index.ts";
import type { RemoteTrace } from "#io/client/index.ts";
import { compareTrace } from "./compare-trace.ts";
import { differ } from "./difference.ts";
import {
  executeBlock,
  type ExecutedBlock,
  type ExecutedTransaction,
  type ReplayInput,
} from "./execute-block.ts";
import type { WitnessReader } from "./witness-reader.ts";

/** Inputs for re-executing a block with traces. */
export interface ExecutionInput extends ReplayInput {
  readonly reader: WitnessReader;
  /** The node's traces; one for each transaction. */
  readonly traces: readonly RemoteTrace[];
  /** Called before each transaction; may throw to stop the work. */
  readonly step: () => Promise<void>;
}

/**
 * Memory limit for the calldata and results of one transaction's inner calls, with shared content stored
 * once. It exceeds what the gas of a transaction can write.
 */
const MAX_TRACE_BYTES = 1 << 30;

/**
 * Executes a block, and compares each receipt and trace, then the state diff, with the node's.
 *
 * @throws {DifferenceFound} at the first difference
 */
export function executeAgain(input: ExecutionInput): Promise<ExecutedBlock> {
  let trace = new TraceMemory(MAX_TRACE_BYTES);
  return executeBlock(input, {
    before: input.step,
    flags: () => ({ trace: (trace = new TraceMemory(MAX_TRACE_BYTES)) }),
    // Nothing stops this machine.
    cancelled: () => Promise.reject(new NodeError("NODE_STOPPED", "the machine was stopped")),
    ran: () => input.reader.requireAllProven(),
    included: (executed) => compareTraces(input, executed, trace),
  });
}

function compareTraces(
  { context, traces }: ExecutionInput,
  { index, hashed, info, state }: ExecutedTransaction,
  memory: TraceMemory,
): void {
  const place = { index, hash: hashed.hash };
  const theirs = traces[index] ?? differ("trace", "one for each transaction", "none", place);
  if (memory.isExceeded) {
    const most = `more calldata and results than ${MAX_TRACE_BYTES >> 20} MiB`;
    differ("trace", most, "a trace", place);
  }
  compareTrace(transactionTrace(context, hashed, info, state, memory), theirs, index);
}
