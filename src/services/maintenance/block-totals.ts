import type { ChainMarks, RowCounts } from "#io/storage/index.ts";
import type { BlockContents } from "./block-contents.ts";
import type { ClassCounts } from "./check-classes.ts";
import type { StateRowCounts } from "./check-state.ts";
import type { TrieRowCounts } from "./check-tries.ts";

/** Sums up the contents of blocks, to compare them with the rows of the tables. */
export class BlockTotals {
  blocks = 0;
  transactions = 0;
  /** Blocks whose tries were checked. */
  tries = 0;
  /** Classes first declared in one of the blocks. */
  classes = 0;
  /** Those of them that were recompiled. */
  recompiled = 0;
  #chunks = 0;
  #messages = 0;
  /** Pruning limits while blocks were added; `undefined` before the first block. */
  #pruned: string | undefined;
  #isStateKnown = true;
  #oldestTrie: number | undefined;
  #isTrieKnown = true;
  readonly #trieRows: TrieRowCounts = { roots: 0, removed: 0 };
  readonly #state: StateRowCounts = { storage: 0, nonces: 0, classes: 0, compiled: 0 };

  /**
   * Adds a block.
   *
   * @param classes - counts of the classes that it declares
   * @param rows - counts of its state rows
   * @param marks - the chain's marks when they were counted
   */
  add(
    contents: BlockContents,
    classes: ClassCounts,
    rows: StateRowCounts,
    marks: ChainMarks,
  ): void {
    this.blocks++;
    this.transactions += contents.transactions.length;
    this.classes += classes.declared;
    this.recompiled += classes.recompiled;
    this.#chunks += contents.chunks;
    this.#messages += contents.inputs.l1Messages.length;
    this.#pruned ??= prunedText(marks);
    if (this.#pruned !== prunedText(marks)) this.#isStateKnown = false;
    this.#state.storage += rows.storage;
    this.#state.nonces += rows.nonces;
    this.#state.classes += rows.classes;
    this.#state.compiled += rows.compiled;
  }

  /**
   * Adds the trie rows of a block.
   *
   * @param oldestTrie - oldest block whose tries are kept
   */
  addTries({ roots, removed }: TrieRowCounts, oldestTrie: number): void {
    this.#oldestTrie ??= oldestTrie;
    if (this.#oldestTrie !== oldestTrie) this.#isTrieKnown = false;
    this.#trieRows.roots += roots;
    this.#trieRows.removed += removed;
  }

  /**
   * Expected trie rows of the blocks above `oldestTrie`; `undefined` when a node has pruned some meanwhile.
   */
  trieRows(oldestTrie: number): TrieRowCounts | undefined {
    const isSame = (this.#oldestTrie ?? oldestTrie) === oldestTrie;
    return this.#isTrieKnown && isSame ? this.#trieRows : undefined;
  }

  /**
   * Expected row counts of the tables; without the state tables when a node has pruned some rows meanwhile.
   */
  rows(marks: ChainMarks): Partial<RowCounts> {
    const { storage, nonces, classes, compiled } = this.#state;
    const now = prunedText(marks);
    const isStateKnown = this.#isStateKnown && (this.#pruned ?? now) === now;
    return {
      block: this.blocks,
      block_state_diff: this.blocks,
      transaction_chunk: this.#chunks,
      transaction_index: this.transactions,
      class: this.classes,
      l1_message: this.#messages,
      ...(isStateKnown && {
        contract_storage: storage,
        contract_nonce: nonces,
        contract_class: classes,
        compiled_class_hash: compiled,
      }),
    };
  }
}

function prunedText({ oldestState, prunedState }: ChainMarks): string {
  return [oldestState, ...prunedState].join(" ");
}
