import type { TrieKind } from "#protocol/trie/index.ts";

/** Values of the `kind` column. */
export const TRIE_KINDS: Readonly<Record<TrieKind, number>> = {
  contracts: 0,
  classes: 1,
  storage: 2,
};
