import type { RunOutcome } from "#engine/cairo/index.ts";
import type { VmResources } from "#protocol/versions/index.ts";
import {
  addBuiltins,
  addLinearResources,
  addResources,
  dropUnused,
  emptyResources,
  type MutableResources,
} from "../resources.ts";
import type { ExecutionContext } from "./context.ts";
import { messageError, type SyscallError, type VmCause } from "./errors.ts";
import { type CallResult, failed } from "./executor.ts";
import { dropResult, outOfMemory, takeResult } from "./memory.ts";
import { isPassedOn, panicOf } from "./panic-text.ts";
import type { CallRecord } from "./record.ts";

/**
 * Converts a machine run's outcome to the result of the call.
 *
 * @param fatal - error of the syscall that ended the run, if any
 */
export function finishRun(
  context: ExecutionContext,
  record: CallRecord,
  fatal: SyscallError | undefined,
  outcome: RunOutcome,
): CallResult {
  switch (outcome.kind) {
    case "cancelled":
      context.cancelled = true;
      return failed(messageError("Cancelled", "The execution was cancelled."));
    case "out_of_memory":
      return outOfMemory(context);
    case "failed":
    case "out_of_steps": {
      const { failure } = outcome;
      const { message } = failure;
      if (failure.isUnsupported === true) context.unsupported ??= message;
      let cause: VmCause = { kind: failure.inHint === true ? "hint" : "machine", message };
      if (fatal !== undefined) cause = { kind: "syscall", error: fatal };
      return failed({
        kind: "vm",
        pc: failure.pc,
        traceback: failure.traceback,
        cause,
        trackedResource: record.trackedResource,
        name: failure.name,
        notes: failure.notes,
        duringHint: failure.duringHint,
      });
    }
    case "returned":
      break;
  }
  if (outcome.gasLeft > record.initialGas) {
    return failed(
      messageError(
        "PostExecutionError.MalformedReturnData",
        `Malformed return data : Unexpected remaining gas: ${outcome.gasLeft}..`,
      ),
    );
  }
  const bySteps = record.trackedResource === "cairo_steps";
  if (!takeResult(context, outcome.retdata)) return outOfMemory(context);
  record.result = outcome.retdata;
  record.failed = outcome.panicked;
  for (const inner of record.innerCalls) {
    if (inner.failed && !isPassedOn(inner, record)) dropResult(context, inner);
  }
  record.gasConsumed = bySteps ? 0n : record.initialGas - outcome.gasLeft;
  const own = ownResources(context, record, outcome.resources);
  if (outcome.blakeCount > 0) own.blake = outcome.blakeCount;
  addBuiltins(record.primitiveCounters, own.builtins);
  delete record.primitiveCounters.segment_arena;
  if (own.blake !== undefined) record.primitiveCounters.blake = own.blake;
  const total = bySteps ? own : emptyResources();
  for (const inner of record.innerCalls) addResources(total, inner.vmResources);
  record.vmResources = total;
  if (record.failed && !context.transaction.block.constants.flags.enableReverts) {
    return failed({ kind: "panic", panic: panicOf(record, "execution") });
  }
  return { kind: "done", record };
}

/** Resources of one run, including the operating system's part of its syscalls. */
function ownResources(
  context: ExecutionContext,
  record: CallRecord,
  resources: VmResources,
): MutableResources {
  const { osResources, flags } = context.transaction.block.constants;
  const own = emptyResources();
  addResources(own, resources);
  if (flags.segmentArenaCells && own.builtins.segment_arena !== undefined) {
    own.builtins.segment_arena *= 3;
  }
  for (const [name, usage] of record.syscalls) {
    if (name === "Keccak") {
      addResources(own, osResources.syscalls.Keccak.constant);
      addLinearResources(own, osResources.syscalls.KeccakRound, usage.calls, usage.linear);
    } else {
      addLinearResources(own, osResources.syscalls[name], usage.calls, usage.linear);
    }
  }
  return dropUnused(own);
}
