import { DEFAULT_EXECUTION_MEMORY_MIB } from "#protocol/config/index.ts";
import { AppError } from "#base/errors/index.ts";

const MIB = 2 ** 20;

/**
 * Most bytes of cells unless the node's options say otherwise. Code that compilers make writes at
 * most two cells a step and takes at least 100 gas for it: 1.11e9 gas of an `__execute__` (0.14.4)
 * are 678 MiB.
 */
export const DEFAULT_MEMORY_BYTES = DEFAULT_EXECUTION_MEMORY_MIB * MIB;

/** What a run without a permit may take (memory-share.ts), and what an idle machine may keep. */
export const BASE_MEMORY_BYTES = 48 * MIB;

/** What a run without a permit may take beside its cells. */
export const BASE_HOST_BYTES = 16 * MIB;

/** Programs that stay loaded beyond those that run: enough for a hundred classes of usual size. */
export const MAX_PROGRAM_BYTES = 48 * MIB;

/** The limit as people read it. */
export function mebibytes(bytes: number): number {
  return Math.ceil(bytes / MIB);
}

/**
 * The memory rule. One phase of a transaction (validation, execution, fee transfer) or one call may
 * span `cellBytes` with the cells of all contract calls that run at a time, 32 bytes a cell, whether
 * written or not; and a quarter of that with what its calls hand to each other and leave behind:
 * calldata and return data under way, records of calls, events, messages, storage accesses. What
 * passes a limit ends as `out_of_memory`, which no contract can handle.
 *
 * The protocol has no such limits: the reference engine takes what its machine has. So a transaction
 * that passes one is refused or dropped, and never included as reverted, which other nodes could not
 * confirm. The limits are the same in every thread and never depend on what else runs, so that an
 * estimate fails where a block would.
 */
export interface MemoryLimits {
  readonly cellBytes: number;
  readonly hostBytes: number;
}

/** The limits that follow from the one that can be set. */
export function memoryLimits(cellBytes: number): MemoryLimits {
  return { cellBytes, hostBytes: Math.floor(cellBytes / 4) };
}

/** Carries "memory is used up" from where it is found to the run that ends by it. */
export class MemoryLimitReached extends AppError {
  constructor() {
    super("KERNEL_MEMORY_LIMIT", "A run needs more memory than it may have.");
  }
}

/** Whether an error tells that memory is used up: by the rule above, or the engine's own. */
export function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof MemoryLimitReached ||
    (error instanceof RangeError && error.message.startsWith("Out of memory"))
  );
}
