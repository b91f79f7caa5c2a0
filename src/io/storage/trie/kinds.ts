import type { TrieKind } from "#protocol/trie/index.ts";

/** Values of the column `kind` of the table of trie roots. */
export const TRIE_KINDS: Readonly<Record<TrieKind, number>> = {
  contracts: 0,
  classes: 1,
  storage: 2,
};
