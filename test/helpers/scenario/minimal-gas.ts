import type {
  AccountTransaction,
  ExecutableClass,
  HashedTransaction,
} from "#protocol/chain/index.ts";
import type { GasVector } from "#protocol/versions/index.ts";
import type { BlockContext } from "#engine/execution/block/context.ts";
import { minimalGas } from "#engine/execution/fee/minimal-gas.ts";
import { accountShape, codeSizeOf } from "#engine/execution/fee/shape.ts";
import { accountContext } from "#engine/execution/transaction/context.ts";

/** Minimum gas that the bounds of a transaction must allow. */
export function minimalGasOf(
  block: BlockContext,
  hashed: HashedTransaction<AccountTransaction>,
  declared?: ExecutableClass,
): GasVector {
  return minimalGas(
    accountContext(block, hashed, false),
    accountShape(hashed.transaction, codeSizeOf(declared)),
  );
}
