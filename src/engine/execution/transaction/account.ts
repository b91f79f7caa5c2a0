import type {
  AccountTransaction,
  ExecutableClass,
  HashedTransaction,
} from "#protocol/chain/index.ts";
import { checkFeeWithinBounds } from "../fee/cost-check.ts";
import { NO_COST } from "../fee/cost.ts";
import { minimalGas } from "../fee/minimal-gas.ts";
import { accountShape, codeSizeOf } from "../fee/shape.ts";
import { accountContext } from "./context.ts";
import { declareClass, isBootstrapDeclare } from "./declare.ts";
import { runFeeTransfer } from "./fee-transfer.ts";
import { hasFreeGas } from "./flags.ts";
import { enforcesFee } from "./max-fee.ts";
import { runNonRevertible } from "./non-revertible.ts";
import { GasBudget } from "./phases.ts";
import { preValidate } from "./pre-validation.ts";
import { runRevertible } from "./revertible.ts";
import type { ExecutedWithoutFee, Run, RunInput, RunResult } from "./run.ts";

const NOTHING_RAN = {
  kind: "done",
  validate: null,
  execute: null,
  feeTransfer: null,
  revertReason: null,
  cost: NO_COST,
} as const;

/**
 * Runs an account transaction: nonce, bounds, balance, validation, execution, fee. Writes stay in the state
 * even when the result is a rejection: the caller must revert them.
 *
 * @param declared - class contained in a declare transaction
 */
export function runAccountTransaction(
  { vm, state, block, flags, prevalidated }: RunInput,
  hashed: HashedTransaction<AccountTransaction>,
  declared?: ExecutableClass,
): RunResult {
  const { transaction } = hashed;
  const context = accountContext(block, hashed, flags.onlyQuery ?? false, hasFreeGas(flags));
  const chargeFee = flags.chargeFee ?? enforcesFee(transaction);
  const shape = accountShape(transaction, codeSizeOf(declared));
  const run: Run = {
    vm,
    state,
    context,
    chargeFee,
    budget: new GasBudget(context.initialSierraGas),
    trace: flags.trace,
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
