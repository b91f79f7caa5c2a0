import type { CairoVm } from "#engine/cairo/index.ts";
import type { AccountTransaction } from "#protocol/chain/index.ts";
import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import { ExecutionContext } from "../call/context.ts";
import { displayText } from "../call/display-text.ts";
import { callFailure } from "../call/error-text.ts";
import type { ConstructorError } from "../call/errors.ts";
import { executeCall, executeDeployment, executeNonReverting } from "../call/execute.ts";
import {
  ENTRYPOINT_NOT_FOUND,
  EXECUTE_SELECTOR,
  TRANSFER_SELECTOR,
  VALID,
  VALIDATE_DECLARE_SELECTOR,
  VALIDATE_DEPLOY_SELECTOR,
  VALIDATE_SELECTOR,
} from "../call/felts.ts";
import { panicText } from "../call/panic-text.ts";
import type { CallRequest } from "../call/record.ts";
import type { CallInfo, Rejection } from "../types.ts";
import {
  type PrevalidatedCall,
  stillValid,
  validationEnvironment,
} from "../validation/prevalidated.ts";
import type { TransactionContext } from "./context.ts";

/** Felts that the text of an error shows. */
const SHOWN_FELTS = 1000;

/** Sierra gas of a transaction: phases take from it one after the other. */
export class GasBudget {
  remaining: number;

  constructor(gas: number) {
    this.remaining = gas;
  }

  /** What a phase with its own limit may use. */
  limited(limit: number): number {
    return Math.min(this.remaining, limit);
  }

  /** Takes off what a phase used. */
  spend(call: CallInfo | null): void {
    if (call !== null) this.remaining -= Number(call.gasConsumed);
  }
}

/** What the phases of one transaction share. */
export interface Phases {
  readonly vm: CairoVm;
  readonly state: CachedState;
  readonly context: TransactionContext;
  /** Steps are limited by what the bounds can pay, as a fee is charged. */
  readonly chargeFee: boolean;
  readonly budget: GasBudget;
  /** Keep what inner calls were given and returned. */
  readonly trace: boolean;
}

/** How a phase ended. */
export type PhaseResult =
  | { readonly kind: "done"; readonly call: CallInfo | null }
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "cancelled" };

/** How execution ended; `steps` and `gas` are what a failed one is charged for. */
export type ExecuteResult =
  | { readonly kind: "done"; readonly call: CallInfo; readonly steps: number; readonly gas: number }
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly steps: number;
      readonly gas: number;
    }
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "cancelled" };

/** A call that the protocol makes. */
export function protocolCall(
  contractAddress: Felt,
  selector: Felt,
  calldata: readonly Felt[],
  initialGas: number,
  callerAddress: Felt = 0n,
): CallRequest {
  return {
    classHash: undefined,
    codeAddress: null,
    entryPointType: "EXTERNAL",
    selector,
    calldata,
    contractAddress,
    callerAddress,
    callType: "CALL",
    initialGas,
  };
}

function validationCall(transaction: AccountTransaction): readonly [Felt, readonly Felt[]] {
  switch (transaction.type) {
    case "INVOKE":
      return [VALIDATE_SELECTOR, transaction.calldata];
    case "DECLARE":
      return [VALIDATE_DECLARE_SELECTOR, [transaction.classHash]];
    case "DEPLOY_ACCOUNT": {
      const { classHash, contractAddressSalt, constructorCalldata } = transaction;
      return [VALIDATE_DEPLOY_SELECTOR, [classHash, contractAddressSalt, ...constructorCalldata]];
    }
  }
}

/** Sierra gas that validation may use. */
export function validationGas({ budget, context }: Pick<Phases, "budget" | "context">): number {
  return budget.limited(Number(context.block.constants.os.validateMaxSierraGas));
}

/**
 * An earlier `__validate__` in the place of a new one, with the same result.
 *
 * @returns `undefined` when there is none, or something that it depended on has changed
 */
export function reuseValidate(
  phases: Phases,
  prevalidated: PrevalidatedCall | undefined,
): PhaseResult | undefined {
  if (prevalidated === undefined) return undefined;
  const { state, context, chargeFee, budget } = phases;
  const environment = validationEnvironment(context, validationGas(phases), chargeFee);
  if (!stillValid(prevalidated, environment, state)) return undefined;
  budget.spend(prevalidated.call);
  return { kind: "done", call: prevalidated.call };
}

/** Runs `__validate__` or its variant; a Cairo 1 account must answer `VALID`. */
export function runValidate(phases: Phases, transaction: AccountTransaction): PhaseResult {
  const { vm, state, context, chargeFee, budget, trace } = phases;
  if (context.version === 0) return { kind: "done", call: null };
  const gas = validationGas(phases);
  const execution = new ExecutionContext(vm, state, context, "validate", {
    limitStepsByBounds: chargeFee,
    gas,
    trace,
  });
  const [selector, calldata] = validationCall(transaction);
  const contractAddress = context.senderAddress;
  const classHash = state.classHashAt(contractAddress);
  const result = executeCall(
    execution,
    protocolCall(contractAddress, selector, calldata, gas),
    null,
  );
  const interruption = interrupted(execution);
  if (interruption !== undefined) return interruption;
  if (result.kind === "error") {
    const call = { contractAddress, classHash, selector };
    const { stripVmFramesInSierraGas } = context.block.constants.flags;
    const { text } = callFailure("validation", call, result.error, stripVmFramesInSierraGas);
    return rejected("VALIDATION_FAILED", "ValidateTransactionError", text);
  }
  const { record } = result;
  // What Cairo 0 accounts return has no meaning.
  const isLegacy = state.executableClass(classHash)?.casm === null;
  const only = record.result.length === 1 ? record.result.at(0) : undefined;
  if (record.failed) {
    const isMissing = only === ENTRYPOINT_NOT_FOUND;
    const code = isMissing ? "NOT_AN_ACCOUNT" : "VALIDATION_FAILED";
    if (isLegacy) {
      const text = `Cairo0 validate error with retdata: ${retdataText(record.result)}`;
      return rejected(code, "ValidateCairo0Error", text);
    }
    return rejected(code, "PanicInValidate", panicText(record, "validation"));
  }
  if (!isLegacy && only !== VALID) {
    return rejected(
      "VALIDATION_FAILED",
      "InvalidValidateReturnData",
      `The \`validate\` entry point should return \`VALID\`. Got ${retdataText(record.result)}.`,
    );
  }
  budget.spend(record);
  return { kind: "done", call: record };
}

/** Return data as errors show it, shortened where it is long. */
function retdataText(result: Felts): string {
  const shown = Array.from({ length: Math.min(result.length, SHOWN_FELTS) }, (_, i) => {
    return `0x${(result.at(i) ?? 0n).toString(16)}`;
  });
  if (result.length > SHOWN_FELTS) shown.push(`... ${result.length} felts`);
  return `Retdata([${shown.join(", ")}])`;
}

/** The end of a phase that came to none of its own; `undefined` when it did. */
function interrupted(
  execution: ExecutionContext,
): Extract<PhaseResult, { kind: "cancelled" | "rejected" }> | undefined {
  if (execution.cancelled) return { kind: "cancelled" };
  if (!execution.outOfMemory) return undefined;
  const message = execution.memory.problem();
  return { kind: "rejected", error: { code: "OUT_OF_MEMORY", kind: "OutOfMemory", message } };
}

function rejected(code: Rejection["code"], kind: string, message: string): PhaseResult {
  return { kind: "rejected", error: { code, kind, message } };
}

/** Puts the account at its address and runs its constructor, under the rules of validation. */
export function runAccountDeployment(
  phases: Phases,
  transaction: Extract<AccountTransaction, { type: "DEPLOY_ACCOUNT" }>,
): PhaseResult {
  const { vm, state, context, chargeFee, budget, trace } = phases;
  const gas = budget.limited(Number(context.block.constants.os.validateMaxSierraGas));
  const execution = new ExecutionContext(vm, state, context, "validate", {
    limitStepsByBounds: chargeFee,
    gas,
    trace,
  });
  const { classHash, contractAddress, constructorCalldata } = transaction;
  const result = executeDeployment(
    execution,
    {
      classHash,
      contractAddress,
      codeAddress: null,
      callerAddress: 0n,
      calldata: constructorCalldata,
      gas,
    },
    null,
  );
  const interruption = interrupted(execution);
  if (interruption !== undefined) return interruption;
  if (result.kind === "error") return constructorRejection(context, result.error);
  budget.spend(result.record);
  return { kind: "done", call: result.record };
}

function constructorRejection(context: TransactionContext, error: ConstructorError): PhaseResult {
  const { stripVmFramesInSierraGas } = context.block.constants.flags;
  const { text } = callFailure("constructor", error, error.error, stripVmFramesInSierraGas);
  const isUndeclared =
    error.error.kind === "message" && error.error.name.startsWith("StateError.UndeclaredClassHash");
  return rejected(
    isUndeclared ? "CLASS_NOT_FOUND" : "CONSTRUCTOR_FAILED",
    "ContractConstructorExecutionFailed.ExecutionError",
    text,
  );
}

/**
 * Runs `__execute__` of the sender, or the entry point that a version 0 invoke or a message from L1
 * names.
 *
 * @param overheadSteps - steps taken off the limit: those of validation and of the protocol itself
 * @param gasLimit - most Sierra gas of the phase; default: the protocol's
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
    const { text } = callFailure(
      "execution",
      { contractAddress, classHash, selector },
      result.error,
      stripVmFramesInSierraGas,
    );
    return { kind: "failed", reason: text, ...used };
  }
  budget.spend(result.record);
  return { kind: "done", call: result.record, ...used };
}

/** Moves the fee from the sender to the sequencer with the token's own `transfer`. */
export function runFeeTransfer({ vm, state, context, trace }: Phases, fee: bigint): PhaseResult {
  const gas = Number(context.block.constants.os.defaultInitialGasCost);
  const execution = new ExecutionContext(vm, state, context, "execute", {
    limitStepsByBounds: true,
    gas,
    trace,
  });
  const calldata = [context.block.info.sequencerAddress, fee, 0n];
  const request = protocolCall(
    context.feeToken,
    TRANSFER_SELECTOR,
    calldata,
    gas,
    context.senderAddress,
  );
  const result = executeCall(execution, request, null);
  const interruption = interrupted(execution);
  if (interruption !== undefined) return interruption;
  if (result.kind === "done") return { kind: "done", call: result.record };
  return rejected(
    "FEE_TRANSFER_FAILED",
    "TransactionFeeError.ExecuteFeeTransferError.AnnotatedEntryPointExecutionError",
    displayText(result.error),
  );
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
