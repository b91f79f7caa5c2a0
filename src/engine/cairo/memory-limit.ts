import { FULL_EXECUTION_MEMORY_MIB } from "#protocol/config/index.ts";
import { AppError } from "#base/errors/index.ts";

const MIB = 2 ** 20;

/** Default limit for the cells' memory. */
export const DEFAULT_MEMORY_BYTES = FULL_EXECUTION_MEMORY_MIB * MIB;

/** Maximum memory that a run may take outside its cells. */
const MAX_HOST_BYTES = 256 * MIB;

/**
 * Bytes of cells that a run without a permit (memory-share.ts) may touch, and that an idle machine
 * may keep.
 */
export const BASE_MEMORY_BYTES = 48 * MIB;

/** Bytes that a run without a permit (memory-share.ts) may hold outside its cells. */
export const BASE_HOST_BYTES = 16 * MIB;

/** Maximum size of loaded programs that are not running: enough for a hundred classes of usual size. */
export const MAX_PROGRAM_BYTES = 48 * MIB;

/** Converts bytes to MiB, rounded up, for display. */
export function mebibytes(bytes: number): number {
  return Math.ceil(bytes / MIB);
}

/**
 * Memory limits of one transaction phase (validation, execution, fee transfer) or one call.
 *
 * The cells of all its nested contract calls may touch `cellBytes`, at 32 bytes a cell, in pages of 4 KiB. A
 * quarter of that, at most 256 MiB, may be held outside the cells: calldata and return data in flight, call
 * records, events, messages, storage accesses. Exceeding a limit ends the run as `out_of_memory`, which no
 * contract can handle.
 *
 * Cells that a program skips count as touched when something is written to their page, or when less than 32
 * KiB are skipped in one step. Skipped cells take address space: four times the touched limit, at most 3.4
 * GiB.
 *
 * Gas bounds all of this except the data passed between calls. Compiler-generated code writes at most two
 * cells per step of 100 gas (0.64 bytes a gas), and pays 10 gas per skipped cell. The maximum a program can
 * touch is one cell of each page: 4096 bytes for 127 * 10 + 100 gas, 2.99 bytes a gas, 3165 MiB for the
 * 1.11e9 gas of an `__execute__` (0.14.4). The counted amount never exceeds the spanned amount, 3.2 bytes a
 * gas, 3388 MiB.
 *
 * The protocol has no such limits: the reference engine takes what its host has. A transaction that exceeds
 * one is therefore refused or dropped, and never included as reverted, which other nodes could not confirm.
 * The limits are the same in every thread and independent of concurrent work, so an estimate fails where a
 * block would.
 */
export interface MemoryLimits {
  readonly cellBytes: number;
  readonly hostBytes: number;
}

/** Derives all limits from the configured one. */
export function memoryLimits(cellBytes: number): MemoryLimits {
  return { cellBytes, hostBytes: Math.min(Math.floor(cellBytes / 4), MAX_HOST_BYTES) };
}

/** Signals exhausted memory from its detection to the run that it ends. */
export class MemoryLimitReached extends AppError {
  constructor() {
    super("KERNEL_MEMORY_LIMIT", "A run exceeded its memory limit.");
  }
}

/** Whether an error means exhausted memory: by {@link MemoryLimits}, or by the JavaScript engine. */
export function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof MemoryLimitReached ||
    (error instanceof RangeError && error.message.startsWith("Out of memory"))
  );
}
