import type { Felt } from "#base/primitives/index.ts";
import { type ExecutionContext, validationBlock } from "../call/context.ts";
import type { SyscallFrame } from "./frame.ts";

/**
 * Returns the block number and timestamp that the running contract sees: rounded down during
 * validation.
 */
export function shownBlock({ transaction, mode }: ExecutionContext): {
  readonly number: number;
  readonly timestamp: number;
} {
  const { block } = transaction;
  return mode === "execute" ? block.info : validationBlock(block);
}

/**
 * Whether contracts see version 1 instead of 3: for an account that only supports version 1, and a small tip
 * (0.13.5).
 *
 * @param accounts - class hashes of those accounts
 */
export function isShownVersion1(
  { context, record }: SyscallFrame,
  accounts: ReadonlySet<Felt>,
): boolean {
  const { version, v3, block } = context.transaction;
  return (
    version === 3 &&
    v3 !== null &&
    v3.tip <= block.constants.os.v1BoundAccountsMaxTip &&
    accounts.has(record.classHash)
  );
}
