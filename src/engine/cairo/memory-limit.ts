import { FULL_EXECUTION_MEMORY_MIB } from "#protocol/config/index.ts";
import { AppError } from "#base/errors/index.ts";

const MIB = 2 ** 20;

/** Most bytes of cells where nothing else is chosen. */
export const DEFAULT_MEMORY_BYTES = FULL_EXECUTION_MEMORY_MIB * MIB;

/** Most of what a run may take beside its cells. */
const MAX_HOST_BYTES = 256 * MIB;

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
 * touch `cellBytes` with the cells of all contract calls that run at a time, 32 bytes a cell, in pages
 * of 4 KiB; and a quarter of that, at most 256 MiB, with what its calls hand to each other and leave
 * behind: calldata and return data under way, records of calls, events, messages, storage accesses.
 * What passes a limit ends as `out_of_memory`, which no contract can handle.
 *
 * Cells that a program passes over are touched when something is written to their page, or when less
 * than 32 KiB are passed over at once. They take address space: four times what may be touched, at
 * most 3.4 GiB.
 *
 * Gas bounds all of it but what calls hand to each other. Code that compilers make writes at most two
 * cells a step of 100 gas (0.64 bytes a gas), and pays 10 gas for a cell that it passes over. The
 * most that a program can touch is one cell of each page: 4096 bytes for 127 * 10 + 100 gas, 2.99
 * bytes a gas, 3165 MiB for the 1.11e9 gas of an `__execute__` (0.14.4); what is counted is never
 * more than what is spanned, 3.2 bytes a gas, 3388 MiB.
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
  return { cellBytes, hostBytes: Math.min(Math.floor(cellBytes / 4), MAX_HOST_BYTES) };
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
