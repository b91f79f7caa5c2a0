/** Default memory limit of a compiler process, in MiB of resident memory. */
export const DEFAULT_COMPILER_MEMORY_MIB = 1024;

/**
 * Minimum memory limit that can be set for a compiler process, in MiB: for the process itself and a
 * small class.
 */
export const MIN_COMPILER_MEMORY_MIB = 256;

/**
 * Maximum memory limit that can be set for a compiler process, in MiB; far above the need of the
 * largest class.
 */
export const MAX_COMPILER_MEMORY_MIB = 65_536;
