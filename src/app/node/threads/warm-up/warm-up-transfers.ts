import type { CairoVm } from "#engine/cairo/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  decodePrevalidated,
  encodePrevalidated,
  validateTransaction,
} from "#engine/execution/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type IdleWork, madeInIdleTurns } from "./idle-turns.ts";
import { scratchTransfer } from "./scratch-transfer.ts";
import { warmUpState } from "./warm-up-state.ts";

/** Threads that start at the same time are not held up. */
const DELAY_MS = 100;

/**
 * Begins to make the first transactions of others as fast as the next ones: lets the runtime compile what
 * every transfer runs. To be stopped when there are any.
 *
 * @param count - transfers; 0: none are made
 */
export function warmUpTransfers(
  vm: CairoVm,
  count: number,
  blockOf: () => BlockContext,
  timer: Timer,
): IdleWork {
  return madeInIdleTurns(count, DELAY_MS, timer, () => scratchTransfers(vm, blockOf()));
}

/**
 * Transfers of a token, validated and executed over a state of their own, which is nowhere stored;
 * nothing of them is seen outside.
 *
 * @returns makes the next transfer, in some milliseconds; whether it was included
 */
export function scratchTransfers(vm: CairoVm, block: BlockContext): () => boolean {
  const executor = new BlockExecutor(vm, warmUpState(block.feeTokens), block);
  let nonce = 0n;
  return () => {
    const transfer = scratchTransfer(block, nonce, nonce);
    nonce++;
    const validation = validateTransaction(vm, executor.reader(), block, transfer);
    if (validation.kind !== "valid" || validation.prevalidated === undefined) return false;
    const prevalidated = decodePrevalidated(
      encodePrevalidated(validation.prevalidated),
      transfer.transaction.calldata,
    );
    const outcome = executor.execute(transfer, {}, undefined, prevalidated);
    executor.takeDelta();
    return outcome.kind === "included" && outcome.info.revertReason === null;
  };
}
