/** Default memory limit of a compiler process, in MiB of resident memory. */
export const DEFAULT_COMPILER_MEMORY_MIB = 1024;

/** Minimum setting: the memory of the process itself and a small class. */
export const MIN_COMPILER_MEMORY_MIB = 256;

/** Maximum setting; far above the need of the largest class. */
export const MAX_COMPILER_MEMORY_MIB = 65_536;
