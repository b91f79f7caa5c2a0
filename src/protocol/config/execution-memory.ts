/** Most MiB of cells of one transaction or call unless the options say otherwise. */
export const DEFAULT_EXECUTION_MEMORY_MIB = 768;

/** Least that can be chosen: what a token's transfer takes, many times over. */
export const MIN_EXECUTION_MEMORY_MIB = 64;

/** Most that can be chosen: the Cairo machine has an address space of 32 bits (93 M cells). */
export const MAX_EXECUTION_MEMORY_MIB = 2848;
