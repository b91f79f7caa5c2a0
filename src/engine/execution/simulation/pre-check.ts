import type { AccountTransaction, HashedTransaction } from "#protocol/chain/index.ts";
import { CachedState, type StateReader } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import { minimalGas } from "../fee/minimal-gas.ts";
import { accountShape } from "../fee/shape.ts";
import { accountContext } from "../transaction/context.ts";
import { isBootstrapDeclare } from "../transaction/declare.ts";
import { enforcesFee } from "../transaction/max-fee.ts";
import { preValidate } from "../transaction/pre-validation.ts";
import type { Rejection } from "../transaction/rejection.ts";
import type { ValidationOptions } from "./validate.ts";

/**
 * Validation checks that need neither code execution nor hashing: nonce, bounds and balance. The nonce may be
 * ahead of the account's.
 *
 * @returns why the transaction cannot be executed, or `null`
 */
export function preCheckTransaction(
  reader: StateReader,
  block: BlockContext,
  hashed: HashedTransaction<AccountTransaction>,
  options: Pick<ValidationOptions, "chargeFee"> = {},
): Rejection | null {
  const { transaction } = hashed;
  const chargeFee = options.chargeFee ?? enforcesFee(transaction);
  if (isBootstrapDeclare(transaction, chargeFee)) return null;
  const context = accountContext(block, hashed, false, options.chargeFee === false);
  return preValidate(
    new CachedState(reader),
    context,
    minimalGas(context, accountShape(transaction)),
    { strictNonce: false, chargeFee },
  );
}
