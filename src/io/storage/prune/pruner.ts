/**
 * Pruning: what is not kept of the past goes, in portions, so that no block is slow for it. Of the newest
 * blocks the state (`--prune-history`) and the tries for proofs (`--keep-proofs`) are kept; blocks,
 * transactions, receipts, events and diffs always, and of each value the newest version.
 *
 * What the state or the tries of a block are, and who moves them:
 *
 * - *kept*: the block is not below the mark (`META.oldestStateBlock`, `META.oldestTrieBlock`).
 * - *given up*: the mark has passed it. `Pruner.run` moves the marks at once: with each block, in the
 *   transaction that stores it. Readers refuse the block from then on, though rows are still there.
 * - *deleted*: `StatePruner` and `TriePruner` have worked off its rows: a portion with each block, in
 *   proportion to what the block has written, from 1024 to 32 768 rows; while no block comes, the least
 *   portion at a time (`ChainWriter.pruneMore`). How far they are is stored with the same transaction.
 *
 * What survives:
 *
 * - A kill, a loss of power, a full disk: marks, deletions and the block are one transaction, so that
 *   either all of it happened or nothing. The next start goes on where the last one was.
 * - A restart with other settings: a shorter past is worked off over the next blocks; a longer one begins
 *   now and brings nothing back: pruning never lowers a mark.
 * - A revert of the chain (`revert/reverter.ts`): the mark of the state bounds how far it goes, and is
 *   gone where it goes to block 0 or to nothing. That of the tries goes back with it: they are built
 *   again.
 *
 * Free pages are used again; the file gets smaller by `appchain db compact` alone.
 */
import type { StateDiff } from "#protocol/chain/index.ts";
import type { TrieChanges } from "#protocol/trie/index.ts";
import { META, type MetaTables } from "../meta.ts";
import { oldestKeptState, oldestKeptTrie } from "../retention.ts";
import type { StatePruner } from "./state-pruner.ts";
import type { TriePruner } from "./trie-pruner.ts";
import type { ChainRetention } from "../types.ts";

/**
 * Fewest rows that are looked at per block. Where a shorter past is wanted than before, small blocks
 * catch up by it: a million rows in a thousand blocks.
 */
const MIN_PORTION = 1024;

/** Most rows that are looked at per block: a tenth of a second. */
const MAX_PORTION = 32_768;

/** Rows of each kind that may be looked at. */
export interface Portion {
  readonly nodes: number;
  readonly versions: number;
}

/** The least portion of a block: some milliseconds. */
export const SMALL_PORTION: Portion = { nodes: MIN_PORTION, versions: MIN_PORTION };

/**
 * The portion of a block: twice what it writes itself, so that pruning keeps up and the delay per block
 * is in proportion to the block.
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
 * Deletes what is no longer kept, in portions. A mark in `meta` says from where on everything is kept;
 * it moves at once, and rows follow in this and later transactions, so that a long outage or another
 * setting never makes one block slow. A mark never goes back: what is deleted stays deleted.
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
   * @param newest - number of the newest block, which is stored
   * @returns whether anything is left
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
