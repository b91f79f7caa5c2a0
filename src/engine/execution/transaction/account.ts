import type { CairoVm } from "#engine/cairo/index.ts";
import type {
  AccountTransaction,
  ExecutableClass,
  HashedTransaction,
} from "#protocol/chain/index.ts";
import {
  type CachedState,
  type Changes,
  type Checkpoint,
  mergeStateDiffs,
} from "#engine/state/index.ts";
import { checkCost, checkFeeWithinBounds } from "../fee/checks.ts";
import {
  type Cost,
  countForFee,
  minimalGas,
  osSteps,
  transactionCost,
  type TransactionShape,
} from "../fee/receipt.ts";
import type { PrevalidatedCall } from "../validation/prevalidated.ts";
import type { BlockContext, CallInfo, ExecutionFlags, Rejection } from "../types.ts";
import { accountContext, enforcesFee, hasFreeGas, type TransactionContext } from "./context.ts";
import { declareClass, isBootstrapDeclare, NO_COST } from "./declare.ts";
import {
  GasBudget,
  invocation,
  type Phases,
  type PhaseResult,
  reuseValidate,
  runAccountDeployment,
  runExecute,
  runFeeTransfer,
  runValidate,
} from "./phases.ts";
import { preValidate } from "./pre-validation.ts";
import { accountShape } from "./shape.ts";

/** How a transaction ran on a state, before the block's capacity is looked at. */
export type RunResult =
  | {
      readonly kind: "done";
      readonly context: TransactionContext;
      readonly validate: CallInfo | null;
      readonly execute: CallInfo | null;
      readonly feeTransfer: CallInfo | null;
      readonly revertReason: string | null;
      readonly cost: Cost;
    }
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "cancelled" };

/** Everything that a run needs to know. */
export interface RunInput {
  readonly vm: CairoVm;
  readonly state: CachedState;
  readonly block: BlockContext;
  readonly flags: ExecutionFlags;
  /** An earlier validation of the same transaction. */
  readonly prevalidated?: PrevalidatedCall | undefined;
}

interface Run extends Phases {
  readonly shape: TransactionShape;
  readonly validates: boolean;
  /** The chain takes no fees: receipts say so, where the reference shows the fee it did not take. */
  readonly isFree: boolean;
  /** The state before the transaction. */
  readonly start: Checkpoint;
}

type Executed = Extract<RunResult, { kind: "done" }>;
type ExecutedWithoutFee = Omit<Executed, "feeTransfer">;
type PartResult = ExecutedWithoutFee | Exclude<RunResult, { kind: "done" }>;

const NOTHING_RAN = {
  kind: "done",
  validate: null,
  execute: null,
  feeTransfer: null,
  revertReason: null,
  cost: NO_COST,
} as const;

/**
 * Runs an account transaction: nonce, bounds, balance, validation, execution, fee (reference section
 * 2.2). The state keeps what was written even when the result is a rejection: the caller undoes it.
 *
 * @param declared - the class that a declare transaction brings
 */
export function runAccountTransaction(
  { vm, state, block, flags, prevalidated }: RunInput,
  hashed: HashedTransaction<AccountTransaction>,
  declared?: ExecutableClass,
): RunResult {
  const { transaction } = hashed;
  const context = accountContext(block, hashed, flags.onlyQuery ?? false, hasFreeGas(flags));
  const chargeFee = flags.chargeFee ?? enforcesFee(transaction);
  const shape = accountShape(transaction, declared);
  const run: Run = {
    vm,
    state,
    context,
    chargeFee,
    budget: new GasBudget(context.initialSierraGas),
    trace: flags.trace ?? false,
    shape,
    validates: flags.validate ?? true,
    isFree: hasFreeGas(flags),
    start: state.checkpoint(),
  };
  if (isBootstrapDeclare(transaction, chargeFee)) {
    const refusal = declareClass(run, transaction, declared);
    return refusal === null ? { ...NOTHING_RAN, context } : { kind: "rejected", error: refusal };
  }
  const error = preValidate(state, context, minimalGas(context, shape), {
    strictNonce: flags.strictNonce ?? true,
    chargeFee,
  });
  if (error !== null) return { kind: "rejected", error };
  const part =
    transaction.type === "INVOKE" && transaction.version !== 0
      ? runRevertible(run, transaction, prevalidated)
      : runNonRevertible(run, transaction, declared);
  return part.kind === "done" ? takeFee(run, part) : part;
}

function takeFee(run: Run, part: ExecutedWithoutFee): RunResult {
  if (run.isFree) return { ...part, cost: { ...part.cost, fee: 0n }, feeTransfer: null };
  const { fee } = part.cost;
  if (!run.chargeFee || fee === 0n) return { ...part, feeTransfer: null };
  const excess = checkFeeWithinBounds(run.context, fee);
  if (excess !== null) return { kind: "rejected", error: excess };
  const transfer = runFeeTransfer(run, fee);
  return transfer.kind === "done" ? { ...part, feeTransfer: transfer.call } : transfer;
}

function costOf(
  run: Run,
  calls: readonly (CallInfo | null)[],
  changes: Changes = run.state.changesSince(run.start),
  reverted = { steps: 0, sierraGas: 0 },
): Cost {
  const { context, shape } = run;
  const made = calls.filter((call) => call !== null);
  const counts = countForFee(changes, context.senderAddress, context.feeToken);
  return transactionCost(context, shape, made, counts, reverted);
}

/**
 * Changes of validation and execution as the fee counts them: before 0.13.4 each phase is counted by
 * itself, so that a value written and written back counts.
 */
function phaseChanges(run: Run, validation: Changes, executionStart: Checkpoint): Changes {
  const { state, start, context } = run;
  if (context.block.constants.flags.comprehensiveStateDiff) return state.changesSince(start);
  const execution = state.changesSince(executionStart);
  return {
    diff: mergeStateDiffs([validation.diff, execution.diff]),
    allocatedKeys: validation.allocatedKeys + execution.allocatedKeys,
  };
}

/** Invoke with validation: when execution fails, validation and the fee stay. */
function runRevertible(
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
  const validation = state.changesSince(run.start);
  const executed = runExecute(run, invocation(transaction), overhead);
  if (executed.kind === "cancelled" || executed.kind === "rejected") return executed;
  const reverted = (): Cost => {
    state.revertTo(checkpoint);
    return costOf(run, [validate], validation, {
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
      revertReason: executed.reason,
      cost: { ...cost, fee },
    };
  }
  const changes = phaseChanges(run, validation, checkpoint);
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
    cost: { ...reverted(), fee: shortage.recommendedFee },
  };
}

/** Deployments, declarations and version 0 invokes: any failure rejects the transaction. */
function runNonRevertible(
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
      const message = executed.reason;
      return {
        kind: "rejected",
        error: { code: "VALIDATION_FAILED", kind: "ExecutionError", message },
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
