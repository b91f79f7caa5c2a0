import type { AccountTransaction } from "#protocol/chain/index.ts";
import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { ExecutionContext } from "../call/context.ts";
import { callFailure, panicFailure } from "../call/error-text.ts";
import { executeCall } from "../call/execute.ts";
import {
  ENTRYPOINT_NOT_FOUND,
  VALID,
  VALIDATE_DECLARE_SELECTOR,
  VALIDATE_DEPLOY_SELECTOR,
  VALIDATE_SELECTOR,
} from "../call/felts.ts";
import { protocolCall } from "../call/request.ts";
import {
  type PrevalidatedCall,
  isStillValid,
  validationEnvironment,
} from "../validation/prevalidated.ts";
import { interrupted, type PhaseResult, type Phases, rejected } from "./phases.ts";

/** Runs `__validate__` or its variant; a Cairo 1 account must return `VALID`. */
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
    const failure = callFailure("validation", call, result.error, stripVmFramesInSierraGas);
    return rejected("VALIDATION_FAILED", "ValidateTransactionError", failure.text, failure);
  }
  const { record } = result;
  // Return data of Cairo 0 accounts has no meaning.
  const isLegacy = state.executableClass(classHash)?.casm === null;
  const only = record.result.length === 1 ? record.result.at(0) : undefined;
  if (record.failed) {
    const isMissing = only === ENTRYPOINT_NOT_FOUND;
    const code = isMissing ? "NOT_AN_ACCOUNT" : "VALIDATION_FAILED";
    if (isLegacy) {
      const text = `Cairo0 validate error with retdata: ${retdataText(record.result)}`;
      return rejected(code, "ValidateCairo0Error", text);
    }
    const failure = panicFailure(record, "validation");
    return rejected(code, "PanicInValidate", failure.text, failure);
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

/**
 * Reuses an earlier `__validate__` instead of running it again.
 *
 * @returns `undefined` when none, or something that it depended on has changed
 */
export function reuseValidate(
  phases: Phases,
  prevalidated: PrevalidatedCall | undefined,
): PhaseResult | undefined {
  if (prevalidated === undefined) return undefined;
  const { state, context, chargeFee, budget } = phases;
  const environment = validationEnvironment(context, validationGas(phases), chargeFee);
  if (!isStillValid(prevalidated, environment, state)) return undefined;
  budget.spend(prevalidated.call);
  return { kind: "done", call: prevalidated.call };
}

/** Sierra gas available to validation. */
export function validationGas({ budget, context }: Pick<Phases, "budget" | "context">): number {
  return budget.limited(Number(context.block.constants.os.validateMaxSierraGas));
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

/** Maximum felts in an error text. */
const SHOWN_FELTS = 1000;

/** Formats return data for errors, shortened if long. */
function retdataText(result: Felts): string {
  const shown = Array.from({ length: Math.min(result.length, SHOWN_FELTS) }, (_, i) => {
    return `0x${(result.at(i) ?? 0n).toString(16)}`;
  });
  if (result.length > SHOWN_FELTS) shown.push(`... ${result.length} felts`);
  return `Retdata([${shown.join(", ")}])`;
}
