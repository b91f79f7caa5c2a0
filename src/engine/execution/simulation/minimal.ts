import type {
  AccountTransaction,
  ExecutableClass,
  HashedTransaction,
} from "#protocol/chain/index.ts";
import type { GasVector } from "#protocol/versions/index.ts";
import type { BlockContext } from "../block/context.ts";
import { minimalGas } from "../fee/minimal-gas.ts";
import { accountShape, codeSizeOf } from "../fee/shape.ts";
import { accountContext } from "../transaction/context.ts";

/** Gas that the bounds of a transaction must at least allow. */
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
