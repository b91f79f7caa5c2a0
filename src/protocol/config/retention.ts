/** Newest blocks whose proofs are kept where nobody says otherwise. */
export const DEFAULT_KEPT_PROOFS = 128;

/**
 * Fewest newest blocks whose state is kept: execution goes on over the newest block that it knows to
 * be accepted, which is several below the newest one on disk while blocks are committed.
 */
export const MIN_KEPT_STATES = 16;

/** Most of either number that an option takes. */
export const MAX_KEPT_BLOCKS = 2 ** 40;

/** Memory of the committer for nodes of tries where nobody says otherwise, MiB: measured, see docs/benchmarks.md. */
export const DEFAULT_TRIE_CACHE_MIB = 32;

/** Least that is of use: the nodes of a block. */
export const MIN_TRIE_CACHE_MIB = 8;

/** Most: more than all nodes of a chain of some years. */
export const MAX_TRIE_CACHE_MIB = 65_536;
