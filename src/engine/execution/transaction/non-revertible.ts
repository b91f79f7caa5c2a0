import type { AccountTransaction, ExecutableClass } from "#protocol/chain/index.ts";
import type { CallInfo } from "../call/info.ts";
import { checkCost } from "../fee/cost-check.ts";
import { declareClass } from "./declare.ts";
import { runAccountDeployment } from "./deploy-account.ts";
import { invocation, runExecute } from "./execute.ts";
import { costOf, type PartResult, type Run } from "./run.ts";
import { runValidate } from "./validate.ts";

/** Runs deployments, declarations and version 0 invokes: any failure rejects the transaction. */
export function runNonRevertible(
  run: Run,
  transaction: AccountTransaction,
  declared: ExecutableClass | undefined,
): PartResult {
  const { context, state, chargeFee } = run;
  let validate: CallInfo | null = null;
  let execute: CallInfo | null = null;
  if (transaction.type === "DEPLOY_ACCOUNT") {
    const deployed = runAccountDeployment(run, transaction);
    if (deployed.kind !== "done") return deployed;
    execute = deployed.call;
  }
  if (run.validates) {
    const validated = runValidate(run, transaction);
    if (validated.kind !== "done") return validated;
    validate = validated.call;
  }
  if (transaction.type === "DECLARE") {
    const error = declareClass(run, transaction, declared);
    if (error !== null) return { kind: "rejected", error };
  }
  if (transaction.type === "INVOKE") {
    const executed = runExecute(run, invocation(transaction), 0);
    if (executed.kind === "cancelled" || executed.kind === "rejected") return executed;
    if (executed.kind === "failed") {
      const { failure } = executed;
      return {
        kind: "rejected",
        error: {
          code: "VALIDATION_FAILED",
          kind: "ExecutionError",
          message: failure.text,
          failure,
        },
      };
    }
    execute = executed.call;
  }
  const cost = costOf(run, [validate, execute]);
  const shortage = chargeFee ? checkCost(state, context, cost) : null;
  if (shortage !== null) {
    const kind = `FeeCheckError.${shortage.name}`;
    return {
      kind: "rejected",
      error: { code: "FEE_CHECK_FAILED", kind, message: shortage.reason },
    };
  }
  return { kind: "done", context, validate, execute, revertReason: null, cost };
}
