/** Default number of newest blocks whose proofs are kept. */
export const DEFAULT_KEPT_PROOFS = 128;

/**
 * Minimum number of newest blocks whose state is kept. Execution runs on top of the newest block it has seen
 * accepted; during commits that is several blocks below the newest one on disk.
 */
export const MIN_KEPT_STATES = 16;

/** Maximum of the settings for how many newest blocks keep proofs, and state. */
export const MAX_KEPT_BLOCKS = 2 ** 40;

/**
 * Default size of the committer's cache of trie nodes, in MiB; measured, see docs/benchmarks.md.
 */
export const DEFAULT_TRIE_CACHE_MIB = 32;

/** Minimum of the setting for the committer's trie node cache, in MiB: the nodes of one block. */
export const MIN_TRIE_CACHE_MIB = 8;

/**
 * Maximum of the setting for the committer's trie node cache, in MiB: more than all nodes of a
 * chain of several years.
 */
export const MAX_TRIE_CACHE_MIB = 65_536;
