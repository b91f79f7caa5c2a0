import { isOutOfMemory } from "#engine/cairo/index.ts";
import type { ExecutableClass, LegacyExecutable } from "#protocol/chain/index.ts";
import { type Felt, paddedHexFromFelt } from "#base/primitives/index.ts";
import { CallFrame } from "../syscalls/frame.ts";
import { LegacyCallFrame } from "../syscalls0/frame.ts";
import type { TrackedResource } from "../types.ts";
import type { ExecutionContext } from "./context.ts";
import { findLegacyEntryPoint } from "./cairo0-entry-points.ts";
import { constructorSelector, findEntryPoint, trackedResourceOf } from "./entry-points.ts";
import { type CallError, messageError } from "./errors.ts";
import type { CallExecutor, CallResult, DeploymentRequest, DeploymentResult } from "./executor.ts";
import { CONSTRUCTOR_SELECTOR, ENTRYPOINT_NOT_FOUND, OUT_OF_GAS } from "./felts.ts";
import { finishRun } from "./finish-run.ts";
import { beginCall, dropCalldata, outOfMemory } from "./memory.ts";
import { panicText } from "./panic-text.ts";
import { CallRecord, type CallRequest } from "./record.ts";

/** An Argent account class that a version 0 transaction must not run: it checks no signature then. */
const UNSAFE_VERSION_0_CLASS = 0x1a7820094feaf82d53f53f214b81292d717e7bb9a92bb2488092cd306f3993fn;

/** Steps of a run that is limited by gas: compiled code takes at least 100 gas per step. */
const UNLIMITED_STEPS = 2 ** 31 - 1;

/** Runs one call with its inner calls. The state keeps what a failed call wrote: callers revert. */
export function executeCall(
  context: ExecutionContext,
  request: CallRequest,
  parentResource: TrackedResource | null,
): CallResult {
  if (context.depth > 0) return innerCall(context, request, parentResource);
  context.depth++;
  try {
    return checkAndRun(context, request, parentResource);
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    return outOfMemory(context);
  } finally {
    context.depth--;
  }
}

function innerCall(
  context: ExecutionContext,
  request: CallRequest,
  parentResource: TrackedResource | null,
): CallResult {
  const refusal = beginCall(context, request.calldata);
  if (refusal !== undefined) return refusal;
  context.depth++;
  const result = checkAndRun(context, request, parentResource);
  context.depth--;
  if (result.kind === "done") dropCalldata(context, result.record);
  return result;
}

/** As {@link executeCall}, but a panic is an error: for calls that nobody can handle. */
export function executeNonReverting(
  context: ExecutionContext,
  request: CallRequest,
  parentResource: TrackedResource | null,
): CallResult {
  const result = executeCall(context, request, parentResource);
  if (result.kind === "error") return result;
  const { record } = result;
  if (record.trackedResource === "sierra_gas") {
    context.lastSeenGas = request.initialGas - Number(record.gasConsumed);
  }
  if (!record.failed) return result;
  return { kind: "error", error: { kind: "panic", summary: panicText(record, "execution") } };
}

/** Puts a class at an address and runs its constructor. */
export function executeDeployment(
  context: ExecutionContext,
  request: DeploymentRequest,
  parentResource: TrackedResource | null,
): DeploymentResult {
  const { state } = context;
  const { classHash, contractAddress } = request;
  const fail = (error: CallError, selector?: Felt): DeploymentResult => ({
    kind: "error",
    error: { contractAddress, classHash, selector, error },
  });
  if (state.classHashAt(contractAddress) !== 0n) {
    const address = paddedHexFromFelt(contractAddress);
    return fail(
      messageError(
        "StateError.UnavailableContractAddress",
        `Deployment failed: contract already deployed at address ${address}`,
      ),
    );
  }
  if (contractAddress === 0n) {
    return fail(
      messageError("StateError.OutOfRangeContractAddress", "Cannot deploy contract at address 0."),
    );
  }
  state.setClassHash(contractAddress, classHash);
  const executable = state.executableClass(classHash);
  if (executable === undefined) return fail(undeclared(classHash));
  const constructor = constructorSelector(executable);
  const call: CallRequest = {
    classHash: undefined,
    codeAddress: request.codeAddress,
    entryPointType: "CONSTRUCTOR",
    selector: constructor ?? CONSTRUCTOR_SELECTOR,
    calldata: request.calldata,
    contractAddress,
    callerAddress: request.callerAddress,
    callType: "CALL",
    initialGas: request.gas,
  };
  if (constructor === undefined) return emptyConstructor(context, executable, call, parentResource);
  const result = executeNonReverting(context, call, parentResource);
  return result.kind === "done" ? result : fail(result.error, constructor);
}

/** The executor that syscalls get. */
export const CALL_EXECUTOR: CallExecutor = {
  call: executeCall,
  strictCall: executeNonReverting,
  deploy: executeDeployment,
};

function undeclared(classHash: Felt): CallError {
  return messageError(
    "StateError.UndeclaredClassHash.ClassHash",
    `Class with hash ${paddedHexFromFelt(classHash)} is not declared.`,
  );
}

function emptyConstructor(
  context: ExecutionContext,
  executable: ExecutableClass,
  call: CallRequest,
  parentResource: TrackedResource | null,
): DeploymentResult {
  const { contractAddress } = call;
  const { classHash } = executable;
  if (call.calldata.length > 0) {
    const error = messageError(
      "InvalidExecutionInput",
      "Invalid input: constructor_calldata; " +
        "Cannot pass calldata to a contract with no constructor.",
    );
    return { kind: "error", error: { contractAddress, classHash, selector: undefined, error } };
  }
  const { constants } = context.transaction.block;
  const resource = trackedResourceOf(executable, constants, parentResource);
  const gas = resource === "cairo_steps" ? context.numbers.unlimitedGas : call.initialGas;
  return { kind: "done", record: new CallRecord(call, classHash, resource, gas) };
}

function checkAndRun(
  context: ExecutionContext,
  request: CallRequest,
  parentResource: TrackedResource | null,
): CallResult {
  const { state } = context;
  const { block } = context.transaction;
  if (context.depth > block.constants.maxRecursionDepth) {
    return failed(
      messageError("RecursionDepthExceeded", "Execution failed due to recursion depth exceeded."),
    );
  }
  const deployedClass = state.classHashAt(request.contractAddress);
  if (deployedClass === 0n) {
    const address = paddedHexFromFelt(request.contractAddress);
    return failed(
      messageError(
        "PreExecutionError.UninitializedStorageAddress.ContractAddress.PatriciaKey",
        `Requested contract address ${address} is not deployed.`,
      ),
    );
  }
  const classHash = request.classHash ?? deployedClass;
  if (classHash === UNSAFE_VERSION_0_CLASS && context.transaction.version === 0) {
    return failed(messageError("PreExecutionError.FraudAttempt", "Fraud attempt blocked."));
  }
  const executable = state.executableClass(classHash);
  if (executable === undefined) return failed(undeclared(classHash));
  const resource = trackedResourceOf(executable, block.constants, parentResource);
  const gas = resource === "cairo_steps" ? context.numbers.unlimitedGas : request.initialGas;
  return runClass(context, request, executable, new CallRecord(request, classHash, resource, gas));
}

function failed(error: CallError): CallResult {
  return { kind: "error", error };
}

/** A call that ended before its code ran, in a way that the caller can handle. */
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

function runClass(
  context: ExecutionContext,
  request: CallRequest,
  executable: ExecutableClass,
  record: CallRecord,
): CallResult {
  if (executable.casm === null) return runLegacyClass(context, request, executable, record);
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
  const frame = new CallFrame(context, record, CALL_EXECUTOR);
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
    host: frame,
    pointScalar: context.nextPointScalar(),
  });
  return finishRun(context, record, frame.fatal, outcome);
}

function runLegacyClass(
  context: ExecutionContext,
  request: CallRequest,
  { program }: LegacyExecutable,
  record: CallRecord,
): CallResult {
  const lookup = findLegacyEntryPoint(program, request.entryPointType, request.selector);
  if (lookup.kind === "error") return failed(lookup.error);
  if (lookup.kind === "not_found") {
    return rejectedCall(context, record, ENTRYPOINT_NOT_FOUND, lookup.name, lookup.message);
  }
  const frame = new LegacyCallFrame(context, record, CALL_EXECUTOR);
  const outcome = context.vm.runLegacy({
    program,
    entryPointOffset: lookup.entryPoint.offset,
    selector: request.selector,
    calldata: record.calldata,
    stepBudget: context.stepBudget,
    host: frame,
  });
  return finishRun(context, record, frame.fatal, outcome);
}
