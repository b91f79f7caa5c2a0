const MIB = 2 ** 20;

/**
 * MiB for the Cairo cells of one transaction or call that gas cannot exhaust: an `__execute__` has 1.11e9 gas
 * (0.14.4), and a skipped cell of 32 bytes costs 10, which gives 3388 MiB. A written cell costs at least 50.
 */
export const FULL_EXECUTION_MEMORY_MIB = 3456;

/**
 * Minimum execution memory limit that can be set, in MiB: many times the need of a token transfer.
 */
export const MIN_EXECUTION_MEMORY_MIB = 64;

/**
 * Maximum execution memory limit that can be set, in MiB: the Cairo machine has a 32-bit address
 * space (114 M cells).
 */
export const MAX_EXECUTION_MEMORY_MIB = 3488;

/**
 * Fraction of memory for one run. Up to three times the limit is resident at a time; that leaves a quarter.
 */
const SHARE = 4;

/**
 * Returns the default limit, in MiB, of the Cairo cells of one transaction or call.
 *
 * @param computerBytes - memory that the process may use
 */
export function defaultExecutionMemoryMib(computerBytes: number): number {
  const shareMib = Math.floor(computerBytes / SHARE / MIB);
  return Math.max(MIN_EXECUTION_MEMORY_MIB, Math.min(FULL_EXECUTION_MEMORY_MIB, shareMib));
}
