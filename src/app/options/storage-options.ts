import {
  DEFAULT_KEPT_PROOFS,
  DEFAULT_TRIE_CACHE_MIB,
  MAX_KEPT_BLOCKS,
  MAX_TRIE_CACHE_MIB,
  MIN_KEPT_STATES,
  MIN_TRIE_CACHE_MIB,
} from "#protocol/config/index.ts";
import { mibOption, valueOption } from "./build-option.ts";
import { readInteger } from "./read-option.ts";

const group = "Storage";

/**
 * Options for how much history is kept, and for the memory of tries. Blocks, transactions, receipts
 * and state diffs are always kept.
 */
export const storageOptions = {
  keepProofs: valueOption(
    {
      flag: "keep-proofs",
      value: "BLOCKS",
      group,
      summary:
        "number of newest blocks whose storage proofs are kept, or archive for all; with --l1-endpoint also blocks that are not accepted on L1 yet",
    },
    "a number from 1 or archive",
    readKept(1),
    DEFAULT_KEPT_PROOFS,
  ),
  pruneHistory: valueOption(
    {
      flag: "prune-history",
      value: "BLOCKS",
      group,
      summary:
        "number of newest blocks whose state is kept, or archive for all; older ones keep their transactions, receipts and state diffs, but cannot be called, traced or reverted to; deleted state cannot be recovered",
    },
    `a number from ${MIN_KEPT_STATES} or archive`,
    readKept(MIN_KEPT_STATES),
    "archive",
  ),
  trieCacheBytes: mibOption(
    {
      flag: "trie-cache",
      group,
      summary: "memory for trie nodes of the state, MiB; more makes blocks on large states faster",
    },
    [MIN_TRIE_CACHE_MIB, MAX_TRIE_CACHE_MIB],
    DEFAULT_TRIE_CACHE_MIB,
  ),
};

/** Parses a number of blocks, or `archive` for all. */
function readKept(least: number): (text: string) => number | "archive" | undefined {
  const read = readInteger(least, MAX_KEPT_BLOCKS);
  return (text) => (text.toLowerCase() === "archive" ? "archive" : read(text));
}
