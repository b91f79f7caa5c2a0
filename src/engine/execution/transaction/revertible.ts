import type { AccountTransaction } from "#protocol/chain/index.ts";
import { type Changes, mergeStateDiffs } from "#engine/state/index.ts";
import { checkCost } from "../fee/cost-check.ts";
import type { Cost } from "../fee/cost.ts";
import { osSteps } from "../fee/os-resources.ts";
import type { PrevalidatedCall } from "../validation/prevalidated.ts";
import { invocation, runExecute } from "./execute.ts";
import type { PhaseResult } from "./phases.ts";
import { costOf, type PartResult, type Run } from "./run.ts";
import { reuseValidate, runValidate } from "./validate.ts";

/** Runs an invoke with validation: if execution fails, validation and the fee remain. */
export function runRevertible(
  run: Run,
  transaction: Extract<AccountTransaction, { type: "INVOKE" }>,
  prevalidated: PrevalidatedCall | undefined,
): PartResult {
  const { context, state, shape, chargeFee } = run;
  const validated: PhaseResult = run.validates
    ? (reuseValidate(run, prevalidated) ?? runValidate(run, transaction))
    : { kind: "done", call: null };
  if (validated.kind !== "done") return validated;
  const validate = validated.call;
  const overhead =
    (validate?.vmResources.steps ?? 0) +
    osSteps(context.block.constants.osResources.transactions.invoke, shape.calldataLength);
  const checkpoint = state.checkpoint();
  const { comprehensiveStateDiff } = context.block.constants.flags;
  const validation = comprehensiveStateDiff ? undefined : state.changesSince(run.start);
  const executed = runExecute(run, invocation(transaction), overhead);
  if (executed.kind === "cancelled" || executed.kind === "rejected") return executed;
  const reverted = (): Cost => {
    state.revertTo(checkpoint);
    return costOf(run, [validate], state.changesSince(run.start), {
      steps: executed.steps,
      sierraGas: executed.gas,
    });
  };
  if (executed.kind === "failed") {
    const cost = reverted();
    const shortage = chargeFee ? checkCost(state, context, cost) : null;
    const fee = shortage?.recommendedFee ?? cost.fee;
    return {
      kind: "done",
      context,
      validate,
      execute: null,
      revertReason: executed.failure.text,
      failure: executed.failure,
      reverted: executed.calls,
      cost: { ...cost, fee },
    };
  }
  const changes =
    validation === undefined
      ? state.changesSince(run.start)
      : phaseChanges(validation, state.changesSince(checkpoint));
  const cost = costOf(run, [validate, executed.call], changes);
  const shortage = chargeFee ? checkCost(state, context, cost) : null;
  if (shortage === null) {
    return {
      kind: "done",
      context,
      validate,
      execute: executed.call,
      revertReason: null,
      cost,
    };
  }
  return {
    kind: "done",
    context,
    validate,
    execute: null,
    revertReason: shortage.reason,
    ...(run.trace === undefined ? {} : { reverted: { root: executed.call, path: null } }),
    cost: { ...reverted(), fee: shortage.recommendedFee },
  };
}

/**
 * Combines the changes of validation and execution for fees before 0.13.4. Each phase is counted separately,
 * so a value that is changed and then changed back counts.
 */
function phaseChanges(validation: Changes, execution: Changes): Changes {
  return {
    diff: mergeStateDiffs([validation.diff, execution.diff]),
    allocatedKeys: validation.allocatedKeys + execution.allocatedKeys,
  };
}
