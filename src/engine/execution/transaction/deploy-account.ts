import type { AccountTransaction } from "#protocol/chain/index.ts";
import { ExecutionContext } from "../call/context.ts";
import { callFailure } from "../call/error-text.ts";
import type { ConstructorError } from "../call/errors.ts";
import { executeDeployment } from "../call/execute.ts";
import type { TransactionContext } from "./context.ts";
import { interrupted, type PhaseResult, type Phases, rejected } from "./phases.ts";

/** Deploys the account and runs its constructor, under the rules of validation. */
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
  const failure = callFailure("constructor", error, error.error, stripVmFramesInSierraGas);
  const isUndeclared =
    error.error.kind === "message" && error.error.name.startsWith("StateError.UndeclaredClassHash");
  return rejected(
    isUndeclared ? "CLASS_NOT_FOUND" : "CONSTRUCTOR_FAILED",
    "ContractConstructorExecutionFailed.ExecutionError",
    failure.text,
    failure,
  );
}
