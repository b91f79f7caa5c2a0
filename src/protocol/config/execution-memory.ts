const MIB = 2 ** 20;

/**
 * MiB for the Cairo cells of one transaction or call that gas cannot use up: an `__execute__` has
 * 1.11e9 gas (0.14.4) and a cell of 32 bytes that is passed over costs 10, which are 3388 MiB.
 * A cell that is written costs at least 50.
 */
export const FULL_EXECUTION_MEMORY_MIB = 3456;

/** Least that can be chosen: what a token's transfer takes, many times over. */
export const MIN_EXECUTION_MEMORY_MIB = 64;

/** Most that can be chosen: the Cairo machine has an address space of 32 bits (114 M cells). */
export const MAX_EXECUTION_MEMORY_MIB = 3488;

/** Up to three times as much as one run may take is resident at a time; that leaves a quarter. */
const SHARE = 4;

/** The limit where none is chosen, in MiB. @param computerBytes - memory that the process may use */
export function defaultExecutionMemoryMib(computerBytes: number): number {
  const shareMib = Math.floor(computerBytes / SHARE / MIB);
  return Math.max(MIN_EXECUTION_MEMORY_MIB, Math.min(FULL_EXECUTION_MEMORY_MIB, shareMib));
}
