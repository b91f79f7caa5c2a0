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

/** Delay that lets other threads start first. */
const DELAY_MS = 100;

/**
 * Warms up execution: the runtime compiles the code that every transfer runs. Stop it when real transactions
 * arrive.
 *
 * @param count - number of transfers; 0 for none
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
 * Validates and executes token transfers over a scratch state. Nothing is stored or visible.
 *
 * @returns a function that makes the next transfer, in some milliseconds, and returns whether it was included
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
