/**
 * Pruning: deletes history that is not kept, in portions, so that no block is delayed by it. The newest
 * blocks keep their state (`--prune-history`) and their tries for proofs (`--keep-proofs`). Blocks,
 * transactions, receipts, events and diffs are always kept, and so is the newest version of each value.
 *
 * States of the state or the tries of a block, and who changes them:
 *
 * - *kept*: the block is not below the mark (`META.oldestStateBlock`, `META.oldestTrieBlock`).
 * - *given up*: the mark has passed it. `Pruner.run` moves the marks in one step: with each block, in the
 *   transaction that stores it. From then on readers reject the block, even while its rows still exist.
 * - *deleted*: `StatePruner` and `TriePruner` have processed its rows. Each block deletes a portion
 *   proportional to its own writes, from 1024 to 32 768 rows. Without new blocks, the smallest portion is
 *   deleted at a time (`ChainWriter.pruneMore`). The progress is stored in the same transaction.
 *
 * What survives:
 *
 * - A kill, a power loss, a full disk: marks, deletions and the block are one transaction, so either all of
 *   it is stored or nothing. The next start continues from there.
 * - A restart with other settings: a shorter history is pruned over the next blocks. A longer one starts now
 *   and restores nothing: pruning never lowers a mark.
 * - A revert of the chain (`revert/reverter.ts`): the state mark bounds how far it can go, and is cleared by
 *   a revert to block 0 or to an empty chain. The trie mark moves back with the revert, which rebuilds the
 *   tries.
 *
 * Free pages are reused; only `appchain db compact` shrinks the file.
 */
import type { StateDiff } from "#protocol/chain/index.ts";
import type { TrieChanges } from "#protocol/trie/index.ts";
import { META, type MetaTables } from "../meta.ts";
import { oldestKeptState, oldestKeptTrie } from "../retention.ts";
import type { StatePruner } from "./state-pruner.ts";
import type { TriePruner } from "./trie-pruner.ts";
import type { ChainRetention } from "../types.ts";

/**
 * Minimum number of rows processed per block. It bounds the catch-up of small blocks after a shorter history
 * is configured: a million rows in a thousand blocks.
 */
const MIN_PORTION = 1024;

/** Maximum number of rows processed per block: a tenth of a second. */
const MAX_PORTION = 32_768;

/** Maximum number of trie nodes and of state versions that one step of pruning may process. */
export interface Portion {
  readonly nodes: number;
  readonly versions: number;
}

/** Portion for the smallest block, and for an idle chain: some milliseconds of work. */
export const SMALL_PORTION: Portion = { nodes: MIN_PORTION, versions: MIN_PORTION };

/**
 * Returns the portion of a block: twice its own writes, so that pruning keeps up and its delay is
 * proportional to the block.
 */
export function portionOf(trie: TrieChanges, diff: StateDiff): Portion {
  const { storageDiffs, nonces, deployedContracts, replacedClasses } = diff;
  let versions = nonces.size + deployedContracts.size + replacedClasses.size;
  for (const entries of storageDiffs.values()) versions += entries.size;
  return {
    nodes: clamped(trie.added.length + trie.removed.length),
    versions: clamped(2 * versions),
  };
}

function clamped(count: number): number {
  return Math.min(MAX_PORTION, Math.max(MIN_PORTION, count));
}

/**
 * Deletes pruned data in portions. A mark in `meta` is the first block from which everything is kept. It
 * moves immediately, and its rows are deleted in this and later transactions, so that a long outage or a
 * changed setting never delays a single block. A mark never moves back: deleted data stays deleted.
 *
 * Needs an open transaction.
 */
export class Pruner {
  readonly #retention: ChainRetention;
  readonly #meta: MetaTables;
  readonly #tries: TriePruner;
  readonly #state: StatePruner;

  constructor(
    retention: ChainRetention,
    deps: { readonly meta: MetaTables; readonly tries: TriePruner; readonly state: StatePruner },
  ) {
    this.#retention = retention;
    this.#meta = deps.meta;
    this.#tries = deps.tries;
    this.#state = deps.state;
  }

  /**
   * Moves the marks and deletes a portion.
   *
   * @param newest - number of the newest stored block
   * @returns whether anything is left to delete
   */
  run(newest: number, portion: Portion): boolean {
    const l1Accepted = this.#meta.number(META.l1Accepted);
    const wanted = oldestKeptTrie(this.#retention, newest, l1Accepted);
    const oldestTrie = this.#raise(META.oldestTrieBlock, wanted);
    const oldestState = this.#raise(
      META.oldestStateBlock,
      oldestKeptState(this.#retention, newest),
    );
    const nodesLeft = oldestTrie > 0 && this.#tries.prune(oldestTrie, portion.nodes);
    const versionsLeft = oldestState > 0 && this.#state.prune(oldestState, portion.versions);
    return nodesLeft || versionsLeft;
  }

  #raise(mark: string, wanted: number): number {
    const known = this.#meta.number(mark) ?? 0;
    if (wanted <= known) return known;
    this.#meta.setNumber(mark, wanted);
    return wanted;
  }
}
