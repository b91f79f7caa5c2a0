import type { AccountTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { ExecutionContext } from "../call/context.ts";
import { type CallFailure, callFailure } from "../call/error-text.ts";
import { executeNonReverting } from "../call/execute.ts";
import type { FailedCalls } from "../call/failed-calls.ts";
import { EXECUTE_SELECTOR } from "../call/felts.ts";
import type { CallInfo } from "../call/info.ts";
import { protocolCall } from "../call/request.ts";
import { interrupted, type Phases } from "./phases.ts";
import type { Rejection } from "./rejection.ts";

/** Result of execution; `steps` and `gas` are the basis of a failed one's charge. */
export type ExecuteResult =
  | { readonly kind: "done"; readonly call: CallInfo; readonly steps: number; readonly gas: number }
  | {
      readonly kind: "failed";
      /** Its text is the revert reason. */
      readonly failure: CallFailure;
      /** `undefined` when calls are not recorded. */
      readonly calls: FailedCalls | undefined;
      readonly steps: number;
      readonly gas: number;
    }
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "cancelled" };

/**
 * Runs `__execute__` of the sender, or the entry point named by a version 0 invoke or an L1 message.
 *
 * @param overheadSteps - steps deducted from the limit: those of validation and of the protocol itself
 * @param gasLimit - maximum Sierra gas of the phase; default: the protocol's
 */
export function runExecute(
  phases: Phases,
  call: {
    readonly entryPointType: "EXTERNAL" | "L1_HANDLER";
    readonly selector: Felt;
    readonly calldata: readonly Felt[];
  },
  overheadSteps: number,
  gasLimit = Number(phases.context.block.constants.os.executeMaxSierraGas),
): ExecuteResult {
  const { vm, state, context, chargeFee, budget, trace } = phases;
  const gas = budget.limited(gasLimit);
  const execution = new ExecutionContext(vm, state, context, "execute", {
    limitStepsByBounds: chargeFee,
    gas,
    trace,
  });
  const { stepBudget } = execution;
  const allotted = Math.max(stepBudget.left - overheadSteps, 0);
  stepBudget.left = allotted;
  const contractAddress = context.senderAddress;
  const classHash = state.classHashAt(contractAddress);
  const { selector, calldata, entryPointType } = call;
  const request = { ...protocolCall(contractAddress, selector, calldata, gas), entryPointType };
  const result = executeNonReverting(execution, request, null);
  const interruption = interrupted(execution);
  if (interruption !== undefined) return interruption;
  const used = { steps: allotted - Math.max(stepBudget.left, 0), gas: execution.gasSeen() };
  if (result.kind === "error") {
    const { stripVmFramesInSierraGas } = context.block.constants.flags;
    const failure = callFailure(
      "execution",
      { contractAddress, classHash, selector },
      result.error,
      stripVmFramesInSierraGas,
    );
    return { kind: "failed", failure, calls: execution.failedCalls?.calls, ...used };
  }
  budget.spend(result.record);
  return { kind: "done", call: result.record, ...used };
}

/** Selector and calldata of an invoke. */
export function invocation(
  transaction: Extract<AccountTransaction, { type: "INVOKE" }>,
): Parameters<typeof runExecute>[1] {
  return {
    entryPointType: "EXTERNAL",
    selector: transaction.version === 0 ? transaction.entryPointSelector : EXECUTE_SELECTOR,
    calldata: transaction.calldata,
  };
}
