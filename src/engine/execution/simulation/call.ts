import type { CairoVm } from "#engine/cairo/index.ts";
import { feltsOf } from "#kernels/vm/index.ts";
import { CachedState, type StateReader } from "#engine/state/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockContext } from "../block/context.ts";
import { ExecutionContext, type ExecutionMode } from "../call/context.ts";
import { hasExternalEntryPoint } from "../call/entry-points.ts";
import { type CallFailure, callFailure, panicFailure } from "../call/error-text.ts";
import { type CallError, messageError } from "../call/errors.ts";
import { executeCall } from "../call/execute.ts";
import type { CallRecord } from "../call/record.ts";
import { type CallRequest, protocolCall } from "../call/request.ts";
import type { TraceMemory } from "../call/trace-memory.ts";
import { callContext } from "../transaction/context.ts";

/** Read-only call of an external entry point. */
export interface ContractCall {
  readonly contractAddress: Felt;
  readonly entryPointSelector: Felt;
  readonly calldata: readonly Felt[];
}

/** Result of a read-only call. */
export type CallOutcome =
  | { readonly kind: "ok"; readonly retdata: readonly Felt[] }
  | { readonly kind: "failed"; readonly failure: CallFailure; readonly retdata: readonly Felt[] }
  | { readonly kind: "contract_not_found" }
  | { readonly kind: "entry_point_not_found" }
  | { readonly kind: "cancelled" };

/** Result of a call outside a transaction. */
export type DirectCallResult =
  | { readonly kind: "done"; readonly record: CallRecord; readonly remainingGas: number }
  | { readonly kind: "error"; readonly error: CallError; readonly failure: CallFailure }
  | { readonly kind: "cancelled" };

/**
 * Runs one call outside any transaction on `state`, which keeps the call's writes.
 *
 * @param trace - stores inputs and outputs of inner calls; not stored by default
 */
export function directCall(
  vm: CairoVm,
  state: CachedState,
  block: BlockContext,
  request: CallRequest,
  mode: ExecutionMode,
  trace?: TraceMemory,
): DirectCallResult {
  const context = new ExecutionContext(vm, state, callContext(block), mode, {
    limitStepsByBounds: false,
    gas: request.initialGas,
    origin: () => [request.contractAddress, request.selector, ...feltsOf(request.calldata)],
    trace,
  });
  const { contractAddress, selector } = request;
  const classHash = state.classHashAt(contractAddress);
  const result = executeCall(context, request, null);
  if (context.cancelled) return { kind: "cancelled" };
  if (context.outOfMemory) {
    const text = context.memory.problem();
    const frames = [{ contractAddress, classHash, selector }];
    return {
      kind: "error",
      error: messageError("OutOfMemory", text),
      failure: { frames, message: text, text },
    };
  }
  if (result.kind === "error") {
    const failure = callFailure(
      "execution",
      { contractAddress, classHash, selector },
      result.error,
      block.constants.flags.stripVmFramesInSierraGas,
    );
    return { kind: "error", error: result.error, failure };
  }
  const { record } = result;
  return {
    kind: "done",
    record,
    remainingGas: request.initialGas - Number(record.gasConsumed),
  };
}

/**
 * Calls an external entry point without changing anything (`starknet_call`).
 *
 * @param gasLimit - Sierra gas of the call; that of the block's version by default
 */
export function callContract(
  vm: CairoVm,
  reader: StateReader,
  block: BlockContext,
  call: ContractCall,
  gasLimit?: number,
): CallOutcome {
  const { contractAddress, entryPointSelector, calldata } = call;
  const classHash = reader.classHashAt(contractAddress);
  if (classHash === 0n) return { kind: "contract_not_found" };
  const executable = reader.executableClass(classHash);
  if (executable !== undefined && !hasExternalEntryPoint(executable, entryPointSelector)) {
    return { kind: "entry_point_not_found" };
  }
  const gas = gasLimit ?? Number(block.constants.os.executeMaxSierraGas);
  const request = protocolCall(contractAddress, entryPointSelector, calldata, gas);
  const result = directCall(vm, new CachedState(reader), block, request, "execute");
  switch (result.kind) {
    case "cancelled":
      return result;
    case "error":
      return { kind: "failed", failure: result.failure, retdata: [] };
    case "done": {
      const { record } = result;
      return record.failed
        ? {
            kind: "failed",
            failure: panicFailure(record, "execution"),
            retdata: feltsOf(record.result),
          }
        : { kind: "ok", retdata: feltsOf(record.result) };
    }
  }
}
