import type { ExecutableClass, LegacyExecutable } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { DeprecatedCallHost } from "../deprecated-syscalls/host.ts";
import { CallHost } from "../syscalls/host.ts";
import { findLegacyEntryPoint } from "./cairo0-entry-points.ts";
import type { ExecutionContext } from "./context.ts";
import { findEntryPoint } from "./entry-points.ts";
import { messageError } from "./errors.ts";
import { type CallExecutor, type CallResult, failed } from "./executor.ts";
import { ENTRYPOINT_NOT_FOUND, OUT_OF_GAS } from "./felts.ts";
import { finishRun } from "./finish-run.ts";
import type { CallRecord } from "./record.ts";
import type { CallRequest } from "./request.ts";

/** Step limit of a run that is limited by gas: compiled code takes at least 100 gas per step. */
const UNLIMITED_STEPS = 2 ** 31 - 1;

/**
 * Runs an entry point of a class in the Cairo machine, and writes results and resources to the
 * call's record.
 *
 * @param executor - executes the inner calls
 */
export function runClass(
  context: ExecutionContext,
  request: CallRequest,
  executable: ExecutableClass,
  record: CallRecord,
  executor: CallExecutor,
): CallResult {
  if (executable.casm === null) {
    return runLegacyClass(context, request, executable, record, executor);
  }
  const { numbers } = context;
  const lookup = findEntryPoint(executable.casm, request.entryPointType, request.selector);
  if (lookup.kind === "error") return failed(lookup.error);
  if (lookup.kind === "not_found") {
    const selector = `0x${request.selector.toString(16)}`;
    return rejectedCall(
      context,
      record,
      ENTRYPOINT_NOT_FOUND,
      "PreExecutionError.EntryPointNotFound.EntryPointSelector",
      `Entry point EntryPointSelector(${selector}) not found in contract.`,
    );
  }
  const gas = Number(record.initialGas) - numbers.entryPointBudget;
  if (gas < 0) {
    return rejectedCall(
      context,
      record,
      OUT_OF_GAS,
      "PreExecutionError.InsufficientEntryPointGas",
      "Insufficient entry point initial gas, must be greater than the entry point initial budget.",
    );
  }
  const bySteps = record.trackedResource === "cairo_steps";
  const host = new CallHost(context, record, executor);
  const outcome = context.vm.run({
    program: context.vm.prepare(executable.casm),
    entryPointOffset: lookup.entryPoint.offset,
    builtins: lookup.entryPoint.builtins,
    gas: BigInt(gas),
    calldata: record.calldata,
    builtinCosts: numbers.builtinCosts,
    maxSteps: UNLIMITED_STEPS,
    ...(bySteps ? { stepBudget: context.stepBudget } : {}),
    countHoles: bySteps,
    host,
    pointScalar: context.nextPointScalar(),
  });
  return finishRun(context, record, host.fatal, outcome);
}

function runLegacyClass(
  context: ExecutionContext,
  request: CallRequest,
  { program }: LegacyExecutable,
  record: CallRecord,
  executor: CallExecutor,
): CallResult {
  const lookup = findLegacyEntryPoint(program, request.entryPointType, request.selector);
  if (lookup.kind === "error") return failed(lookup.error);
  if (lookup.kind === "not_found") {
    return rejectedCall(context, record, ENTRYPOINT_NOT_FOUND, lookup.name, lookup.message);
  }
  const host = new DeprecatedCallHost(context, record, executor);
  const outcome = context.vm.runLegacy({
    program,
    entryPointOffset: lookup.entryPoint.offset,
    selector: request.selector,
    calldata: record.calldata,
    stepBudget: context.stepBudget,
    host,
  });
  return finishRun(context, record, host.fatal, outcome);
}

/** Result of a call that failed before its code ran, in a way that the caller can handle. */
function rejectedCall(
  context: ExecutionContext,
  record: CallRecord,
  errorFelt: Felt,
  name: string,
  message: string,
): CallResult {
  if (!context.transaction.block.constants.flags.enableReverts) {
    return failed(messageError(name, message));
  }
  record.result = [errorFelt];
  record.failed = true;
  return { kind: "done", record };
}
