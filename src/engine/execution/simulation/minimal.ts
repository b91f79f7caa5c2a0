import type {
  AccountTransaction,
  ExecutableClass,
  HashedTransaction,
} from "#protocol/chain/index.ts";
import type { GasVector } from "#protocol/versions/index.ts";
import { minimalGas } from "../fee/receipt.ts";
import { accountContext } from "../transaction/context.ts";
import { accountShape } from "../transaction/shape.ts";
import type { BlockContext } from "../types.ts";

/** Gas that the bounds of a transaction must at least allow. */
export function minimalGasOf(
  block: BlockContext,
  hashed: HashedTransaction<AccountTransaction>,
  declared?: ExecutableClass,
): GasVector {
  return minimalGas(
    accountContext(block, hashed, false),
    accountShape(hashed.transaction, declared),
  );
}
