import { isOutOfMemory } from "#engine/cairo/index.ts";
import type { ExecutableClass } from "#protocol/chain/index.ts";
import { type Felt, paddedHexFromFelt } from "#base/primitives/index.ts";
import type { ExecutionContext } from "./context.ts";
import { constructorSelector } from "./entry-points.ts";
import { type CallError, messageError, undeclaredText } from "./errors.ts";
import {
  type CallExecutor,
  type CallResult,
  type DeploymentRequest,
  type DeploymentResult,
  failed,
} from "./executor.ts";
import { CONSTRUCTOR_SELECTOR } from "./felts.ts";
import { beginCall, dropCalldata, outOfMemory } from "./memory.ts";
import { panicOf } from "./panic-text.ts";
import { CallRecord } from "./record.ts";
import type { CallRequest } from "./request.ts";
import { runClass } from "./run-class.ts";
import { type TrackedResource, trackedResourceOf } from "./tracked-resource.ts";

/** Argent account class that checks no signature in version 0 transactions, and so must not run in them. */
const UNSAFE_VERSION_0_CLASS = 0x1a7820094feaf82d53f53f214b81292d717e7bb9a92bb2488092cd306f3993fn;

/** Runs one call with its inner calls. Writes of a failed call stay in the state: the caller must revert. */
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

/** Like {@link executeCall}, but a panic becomes an error: for calls whose caller cannot handle it. */
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
  context.failedCalls?.panic(record);
  return { kind: "error", error: { kind: "panic", panic: panicOf(record, "execution") } };
}

/** Deploys a class at an address and runs its constructor. */
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

/**
 * The {@link CallExecutor} of contract calls: syscalls run inner calls and deployments through it.
 */
export const CALL_EXECUTOR: CallExecutor = {
  call: executeCall,
  strictCall: executeNonReverting,
  deploy: executeDeployment,
};

function undeclared(classHash: Felt): CallError {
  return messageError("StateError.UndeclaredClassHash.ClassHash", undeclaredText(classHash));
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
  const { state, failedCalls } = context;
  const { block } = context.transaction;
  const refused = (error: CallError, classHash: Felt): CallResult => {
    const record = new CallRecord(request, classHash, parentResource ?? "cairo_steps", 0);
    failedCalls?.abandon(record, 0);
    return failed(error);
  };
  if (context.depth > block.constants.maxRecursionDepth) {
    return refused(
      messageError("RecursionDepthExceeded", "Execution failed due to recursion depth exceeded."),
      request.classHash ?? 0n,
    );
  }
  const deployedClass = state.classHashAt(request.contractAddress);
  if (deployedClass === 0n) {
    const address = paddedHexFromFelt(request.contractAddress);
    return refused(
      messageError(
        "PreExecutionError.UninitializedStorageAddress.ContractAddress.PatriciaKey",
        `Requested contract address ${address} is not deployed.`,
      ),
      request.classHash ?? 0n,
    );
  }
  const classHash = request.classHash ?? deployedClass;
  if (classHash === UNSAFE_VERSION_0_CLASS && context.transaction.version === 0) {
    return refused(
      messageError("PreExecutionError.FraudAttempt", "Fraud attempt blocked."),
      classHash,
    );
  }
  const executable = state.executableClass(classHash);
  if (executable === undefined) return refused(undeclared(classHash), classHash);
  const resource = trackedResourceOf(executable, block.constants, parentResource);
  const gas = resource === "cairo_steps" ? context.numbers.unlimitedGas : request.initialGas;
  const { selector, contractAddress, callerAddress, calldata } = request;
  const { depth } = context;
  state.entering({ depth, classHash, selector, contractAddress, callerAddress, calldata });
  const record = new CallRecord(request, classHash, resource, gas);
  const result = runClass(context, request, executable, record, CALL_EXECUTOR);
  if (result.kind === "error") failedCalls?.abandon(record, context.lastSeenGas);
  else failedCalls?.forget();
  return result;
}
