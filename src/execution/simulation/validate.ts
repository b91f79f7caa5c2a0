import type { CairoVm } from "#cairo/types.ts";
import type { AccountTransaction, ExecutableClass, HashedTransaction } from "#chain/index.ts";
import { CachedState, type StateReader } from "#state/index.ts";
import { BlockExecutor } from "../block/executor.ts";
import { checkCostWithinBounds } from "../fee/checks.ts";
import { NO_GAS } from "../fee/gas-vector.ts";
import { countForFee, minimalGas, transactionCost } from "../fee/receipt.ts";
import { accountContext, enforcesFee } from "../transaction/context.ts";
import { GasBudget, runValidate } from "../transaction/phases.ts";
import { preValidate } from "../transaction/pre-validation.ts";
import { accountShape } from "../transaction/shape.ts";
import type { BlockContext, ValidationOutcome } from "../types.ts";

/** What admission knows beside of the state. */
export interface ValidationOptions {
  /**
   * A transaction that deploys the sender is waiting: an invoke of nonce 1 is then admitted without
   * `__validate__`, which can't run yet.
   */
  readonly senderIsToBeDeployed?: boolean;
  /** The class that a declare transaction brings. */
  readonly declared?: ExecutableClass;
  /** `false` on a chain that takes no fees: bounds and balance are not looked at. */
  readonly chargeFee?: boolean;
}

/**
 * Decides whether a transaction may wait for a block. Invokes are validated only; deployments and
 * declarations are executed, since a deployment's validation needs the constructor to have run.
 * The nonce may be ahead of the account's.
 *
 * Source: the reference gateway (`stateful_validator.rs`, reference section 2.8).
 */
export function validateTransaction(
  vm: CairoVm,
  reader: StateReader,
  block: BlockContext,
  hashed: HashedTransaction<AccountTransaction>,
  options: ValidationOptions = {},
): ValidationOutcome {
  const { transaction } = hashed;
  if (transaction.type !== "INVOKE") {
    const executor = new BlockExecutor(vm, reader, block);
    const flags = {
      strictNonce: false,
      ...(options.chargeFee === undefined ? {} : { chargeFee: options.chargeFee }),
    };
    const outcome = executor.execute(hashed, flags, options.declared);
    switch (outcome.kind) {
      case "included":
        return { kind: "valid", skipped: false, gas: outcome.info.gas };
      case "block_full":
        return { kind: "rejected", error: TOO_LARGE };
      default:
        return outcome;
    }
  }
  const state = new CachedState(reader);
  const context = accountContext(block, hashed, false);
  const chargeFee = options.chargeFee ?? enforcesFee(transaction);
  const shape = accountShape(transaction);
  const accountNonce = state.nonceAt(context.senderAddress);
  const skipped =
    options.senderIsToBeDeployed === true && accountNonce === 0n && context.nonce === 1n;
  const error = preValidate(state, context, minimalGas(context, shape), {
    strictNonce: false,
    chargeFee,
  });
  if (error !== null) return { kind: "rejected", error };
  if (skipped) return { kind: "valid", skipped: true, gas: NO_GAS };
  const validated = runValidate(
    { vm, state, context, chargeFee, budget: new GasBudget(context.initialSierraGas) },
    transaction,
  );
  if (validated.kind !== "done") return validated;
  const calls = validated.call === null ? [] : [validated.call];
  const changes = countForFee(state.changesSince(0), context.senderAddress, context.feeToken);
  const cost = transactionCost(context, shape, calls, changes, { steps: 0, sierraGas: 0 });
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
  return { kind: "valid", skipped: false, gas: cost.gas };
}

const TOO_LARGE = {
  code: "TOO_LARGE",
  kind: "TransactionTooLarge",
  message: "Transaction size exceeds the maximum block capacity.",
} as const;
