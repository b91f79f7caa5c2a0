import type { RowCounts } from "#io/storage/index.ts";
import type { BlockContents } from "./block-contents.ts";
import type { StateRowCounts } from "./check-state.ts";
import type { TrieRowCounts } from "./check-tries.ts";

/** Adds up what blocks have, to compare it with what tables have. */
export class BlockTotals {
  blocks = 0;
  transactions = 0;
  /** Blocks whose tries were looked at. */
  tries = 0;
  #chunks = 0;
  #messages = 0;
  #classes = 0;
  #oldestTrie: number | undefined;
  #isTrieKnown = true;
  readonly #trieRows: TrieRowCounts = { roots: 0, removed: 0 };
  readonly #state: StateRowCounts = { storage: 0, nonces: 0, classes: 0, compiled: 0 };

  /**
   * Adds a block.
   *
   * @param classes - those that it declared first
   * @param rows - of its state, if that is kept
   */
  add(contents: BlockContents, classes: number, rows: StateRowCounts | undefined): void {
    this.blocks++;
    this.transactions += contents.transactions.length;
    this.#chunks += contents.chunks;
    this.#messages += contents.inputs.l1Messages.length;
    this.#classes += classes;
    if (rows === undefined) return;
    this.#state.storage += rows.storage;
    this.#state.nonces += rows.nonces;
    this.#state.classes += rows.classes;
    this.#state.compiled += rows.compiled;
  }

  /**
   * Adds the rows of tries of a block.
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
   * The rows of tries that blocks above `oldestTrie` must have; `undefined` when a node has forgotten some
   * of them meanwhile.
   */
  trieRows(oldestTrie: number): TrieRowCounts | undefined {
    const isSame = (this.#oldestTrie ?? oldestTrie) === oldestTrie;
    return this.#isTrieKnown && isSame ? this.#trieRows : undefined;
  }

  /** The rows that tables must have; those of the state only when all of it is kept. */
  rows(isStateWhole: boolean): Partial<RowCounts> {
    const { storage, nonces, classes, compiled } = this.#state;
    return {
      block: this.blocks,
      block_state_diff: this.blocks,
      transaction_chunk: this.#chunks,
      transaction_index: this.transactions,
      class: this.#classes,
      l1_message: this.#messages,
      ...(isStateWhole && {
        contract_storage: storage,
        contract_nonce: nonces,
        contract_class: classes,
        compiled_class_hash: compiled,
      }),
    };
  }
}
