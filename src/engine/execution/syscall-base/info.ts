import type { Felt } from "#base/primitives/index.ts";
import { type ExecutionContext, validationBlock } from "../call/context.ts";
import type { SyscallFrame } from "./frame.ts";

/** Number and timestamp of the block as the phase sees them: validation sees rounded values. */
export function shownBlock({ transaction, mode }: ExecutionContext): {
  readonly number: number;
  readonly timestamp: number;
} {
  const { block } = transaction;
  return mode === "execute" ? block.info : validationBlock(block);
}

/**
 * Whether a contract is shown version 1 in the place of 3: an account that only knows version 1, and a
 * small tip (0.13.5).
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
