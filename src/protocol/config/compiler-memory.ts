/** Most MiB of resident memory of a process that compiles classes unless the options say otherwise. */
export const DEFAULT_COMPILER_MEMORY_MIB = 1024;

/** Least that can be chosen: what the process itself and a small class take. */
export const MIN_COMPILER_MEMORY_MIB = 256;

/** Most that can be chosen; no class of the largest size comes near. */
export const MAX_COMPILER_MEMORY_MIB = 65_536;
