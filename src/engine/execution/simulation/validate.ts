import type { CairoVm } from "#engine/cairo/index.ts";
import type { AccountTransaction, HashedTransaction } from "#protocol/chain/index.ts";
import {
  CachedState,
  type Changes,
  mergeStateDiffs,
  RecordingReader,
  type StateReader,
} from "#engine/state/index.ts";
import type { GasVector } from "#protocol/versions/index.ts";
import type { BlockContext } from "../block/context.ts";
import { BlockExecutor } from "../block/executor.ts";
import { checkCostWithinBounds } from "../fee/cost-check.ts";
import { transactionCost } from "../fee/cost.ts";
import { NO_GAS } from "../fee/gas-vector.ts";
import { minimalGas } from "../fee/minimal-gas.ts";
import { accountShape } from "../fee/shape.ts";
import { countForFee } from "../fee/state-changes.ts";
import { accountContext } from "../transaction/context.ts";
import { enforcesFee } from "../transaction/max-fee.ts";
import { GasBudget } from "../transaction/phases.ts";
import { preValidate } from "../transaction/pre-validation.ts";
import type { Rejection } from "../transaction/rejection.ts";
import { recordDeclaration, isBootstrapDeclare } from "../transaction/declare.ts";
import { runValidate, validationGas } from "../transaction/validate.ts";
import {
  isReusable,
  type PrevalidatedCall,
  validationEnvironment,
} from "../validation/prevalidated.ts";

/** Facts known to admission besides the state. */
export interface ValidationOptions {
  /**
   * The sender's deployment is pending, and the transaction may be admitted before it. While the sender has
   * neither code nor a nonce, an invoke that is not its first transaction is not validated: `__validate__`
   * can't run yet. It runs in the transaction's block.
   */
  readonly isSenderUndeployed?: boolean;
  /**
   * Size of the class in a declare transaction, in bytes as its fee counts them. Without the compiled code
   * this is a lower bound. The class itself is not examined.
   */
  readonly codeSize?: number;
  /**
   * `false` on a chain without fees: bounds and balance are not checked, and an L2 gas bound of 0 means the
   * protocol's maximum.
   */
  readonly chargeFee?: boolean;
  /**
   * The sender is impersonated on a development chain: `__validate__` is skipped if an account exists, or is
   * deployed by the transaction.
   */
  readonly isImpersonated?: boolean;
}

/** Result of validation for admission. `gas` is the cost of the validation alone. */
export type ValidationOutcome =
  | {
      readonly kind: "valid";
      /** Whether `__validate__` was skipped: the account is not deployed yet, or impersonated. */
      readonly skipped: boolean;
      readonly gas: GasVector;
      /** Result that a block's execution may reuse instead of validating again; set for most invokes. */
      readonly prevalidated?: PrevalidatedCall;
    }
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "cancelled" };

/**
 * Decides whether a transaction may enter the pool. Invokes and declarations are only validated. Deployments
 * are executed, because their validation needs the constructor to have run. The nonce may be ahead of the
 * account's.
 *
 * Source: `stateful_validator.rs` of blockifier and of the sequencer's gateway.
 */
export function validateTransaction(
  vm: CairoVm,
  reader: StateReader,
  block: BlockContext,
  hashed: HashedTransaction<AccountTransaction>,
  options: ValidationOptions = {},
): ValidationOutcome {
  const { transaction } = hashed;
  const { isImpersonated = false } = options;
  if (transaction.type === "DEPLOY_ACCOUNT") {
    const executor = new BlockExecutor(vm, reader, block);
    const flags = {
      strictNonce: false,
      freeGas: true,
      validate: !isImpersonated,
      ...(options.chargeFee === undefined ? {} : { chargeFee: options.chargeFee }),
    };
    const outcome = executor.execute(hashed, flags);
    switch (outcome.kind) {
      case "included":
        return { kind: "valid", skipped: isImpersonated, gas: outcome.info.gas };
      case "block_full":
        return { kind: "rejected", error: TOO_LARGE };
      default:
        return outcome;
    }
  }
  const state = new CachedState(reader);
  const context = accountContext(block, hashed, false, options.chargeFee === false);
  const chargeFee = options.chargeFee ?? enforcesFee(transaction);
  if (transaction.type === "DECLARE") {
    const declined = recordDeclaration(state, block.constants.flags, transaction);
    if (declined !== null) return { kind: "rejected", error: declined };
    if (isBootstrapDeclare(transaction, chargeFee)) {
      return { kind: "valid", skipped: true, gas: NO_GAS };
    }
  }
  const shape = accountShape(transaction, options.codeSize);
  const accountNonce = state.nonceAt(context.senderAddress);
  const hasCode = state.classHashAt(context.senderAddress) !== 0n;
  const precedesDeployment =
    options.isSenderUndeployed === true &&
    transaction.type === "INVOKE" &&
    accountNonce === 0n &&
    context.nonce > 0n &&
    !hasCode;
  const skipped = precedesDeployment || (isImpersonated && hasCode);
  const error = preValidate(state, context, minimalGas(context, shape), {
    strictNonce: false,
    chargeFee,
  });
  if (error !== null) return { kind: "rejected", error };
  if (skipped) return { kind: "valid", skipped: true, gas: NO_GAS };
  // A separate state, so that the read set contains only the reads of validation itself.
  const recording = new RecordingReader(state);
  const validationState = new CachedState(recording);
  const budget = new GasBudget(context.initialSierraGas);
  const phases = { vm, state: validationState, context, chargeFee, budget, trace: undefined };
  const environment = validationEnvironment(context, validationGas(phases), chargeFee);
  const validated = runValidate(phases, transaction);
  if (validated.kind !== "done") return validated;
  const { call } = validated;
  const isReadOnly = validationState.checkpoint() === 0;
  const nonceChanges = state.changesSince(0);
  const changes = isReadOnly
    ? nonceChanges
    : mergeChanges(nonceChanges, validationState.changesSince(0));
  const counts = countForFee(changes, context.senderAddress, context.feeToken);
  const calls = call === null ? [] : [call];
  const cost = transactionCost(context, shape, calls, counts, { steps: 0, sierraGas: 0 });
  const shortage = chargeFee ? checkCostWithinBounds(context, cost) : null;
  if (shortage !== null) {
    return {
      kind: "rejected",
      error: {
        code: "FEE_CHECK_FAILED",
        kind: `FeeCheckError.${shortage.name}`,
        message: shortage.reason,
      },
    };
  }
  const { gas } = cost;
  if (call === null || !isReadOnly || !isReusable(call)) {
    return { kind: "valid", skipped: false, gas };
  }
  const prevalidated = { environment, reads: recording.readSet(), call };
  return { kind: "valid", skipped: false, gas, prevalidated };
}

/**
 * Merges the changes of two intervals that touch different places: the nonce, and the writes of validation.
 */
function mergeChanges(first: Changes, second: Changes): Changes {
  return {
    diff: mergeStateDiffs([first.diff, second.diff]),
    allocatedKeys: first.allocatedKeys + second.allocatedKeys,
  };
}

const TOO_LARGE = {
  code: "TOO_LARGE",
  kind: "TransactionTooLarge",
  message: "Transaction size exceeds the maximum block capacity.",
} as const;
