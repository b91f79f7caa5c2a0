/**
 * Revert: makes an earlier block the newest one, as if the blocks above had never existed.
 *
 * Phases, all in one transaction:
 *
 * - *refused*, with nothing changed, when the state of that block is no longer kept. Block 0 can always be
 *   reached, because its diff is its state, and so can the empty chain (-1). A chain from a snapshot can go
 *   back to its first block at most.
 * - *blocks*: deletes state versions and transactions of each block, from the newest down.
 * - *tries*: if the tries of the block are kept, deletes everything above its mark. Otherwise rebuilds them
 *   from the state (`rebuildTries`), in steps of 16 384 leaves. Their root must match the block's header; if
 *   not, nothing is changed (`STORAGE_ROOT_MISMATCH`).
 * - *done*: deletes classes, messages and headers above the block, and lowers the L1 acceptance.
 *
 * Callers: a running node, after its threads have stopped and before they restart, in a separate thread; and
 * `appchain db revert`, while no node runs. There is no other writer meanwhile. Readers see either the old or
 * the new chain; a node does not serve data that is about to be reverted.
 *
 * What survives:
 *
 * - A kill or a power loss at any moment: leaves either the old chain or the reverted one, complete.
 * - A full disk, or any other database error: leaves the old chain.
 * - Received transactions: they are in another file, which the caller keeps or deletes. Transactions of
 *   reverted blocks are lost. Compiled classes stay, because they do not depend on the chain.
 *
 * The duration grows with the number of reverted blocks, and with the size of the whole state if tries are
 * rebuilt (`RevertProgress` reports the progress). The memory use does not grow.
 */
import { InvariantError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { META } from "../meta.ts";
import { nothingOlderError, prunedError } from "../retention.ts";
import type { RevertProgress } from "../types.ts";
import type { WriterTables } from "../writer-tables.ts";
import { rebuildTries } from "./rebuild-tries.ts";
import type { StatePages } from "./state-pages.ts";

const REPORT_EVERY = 64;

/** Reverts blocks. Needs an open transaction. */
export class Reverter {
  readonly #tables: WriterTables;
  readonly #pages: StatePages;

  constructor(tables: WriterTables, pages: StatePages) {
    this.#tables = tables;
    this.#pages = pages;
  }

  /**
   * Makes `blockNumber` the newest block; -1 removes everything. Block 0 is always reachable: its diff is its
   * state.
   *
   * @throws {StorageError} STORAGE_NO_OLDER, STORAGE_PRUNED, STORAGE_ROOT_MISMATCH as `ChainWriter.revertTo`
   */
  to(blockNumber: number, onProgress: (progress: RevertProgress) => void): void {
    const { meta, blockReader, blocks, classes, messages } = this.#tables;
    const tip = blockReader.tip(Number.MAX_SAFE_INTEGER);
    if (tip === undefined || blockNumber >= tip.number) return;
    const oldest = meta.number(META.oldestBlock) ?? 0;
    if (blockNumber < oldest && oldest > 0) throw nothingOlderError(blockNumber, oldest);
    const oldestState = meta.number(META.oldestStateBlock) ?? 0;
    if (blockNumber > 0 && blockNumber < oldestState) {
      throw prunedError("state", blockNumber, oldestState);
    }
    const contracts = this.#revertBlocks(tip.number, blockNumber, onProgress);
    if (blockNumber === 0 && oldestState > 0) this.#restoreGenesis();
    if (blockNumber < 0) this.#forgetAll();
    else if (blockNumber < (meta.number(META.oldestTrieBlock) ?? 0)) {
      this.#rebuild(blockNumber, tip.lastNodeId + 1, onProgress);
    } else {
      const lastNodeId = blockReader.tip(blockNumber)?.lastNodeId ?? 0;
      this.#tables.trieWriter.revert(blockNumber, lastNodeId, contracts);
    }
    classes.deleteAbove(blockNumber);
    messages.deleteAbove(blockNumber);
    blocks.deleteAbove(blockNumber);
    this.#lowerL1Accepted(blockNumber);
  }

  /** @returns contracts with storage changes */
  #revertBlocks(
    newest: number,
    blockNumber: number,
    onProgress: (progress: RevertProgress) => void,
  ): ReadonlySet<Felt> {
    const { state, stateDiff, transactions, transactionReader } = this.#tables;
    const contracts = new Set<Felt>();
    const total = newest - blockNumber;
    for (let number = newest; number > blockNumber; number--) {
      const diff = stateDiff(number);
      for (const address of diff.storageDiffs.keys()) contracts.add(address);
      state.revert(diff, blockNumber);
      transactions.deleteFrom(number, transactionReader.transactions(number));
      const done = newest - number + 1;
      if (done % REPORT_EVERY === 0 || done === total) onProgress({ phase: "blocks", done, total });
    }
    return contracts;
  }

  #forgetAll(): void {
    const { meta, trieWriter } = this.#tables;
    trieWriter.clear();
    meta.remove(META.oldestTrieBlock);
    this.#forgetStateMarks();
  }

  /** Restores the state of block 0 from its own diff, whatever was pruned of it since. */
  #restoreGenesis(): void {
    const { state, stateDiff } = this.#tables;
    const diff = stateDiff(0);
    state.revert(diff, -1);
    state.apply(diff, 0);
    this.#forgetStateMarks();
  }

  #forgetStateMarks(): void {
    const { meta } = this.#tables;
    meta.remove(META.oldestStateBlock);
    meta.remove(META.prunedStateBlock);
    meta.remove(META.prunedStateEntries);
  }

  #rebuild(
    blockNumber: number,
    firstNodeId: number,
    onProgress: (progress: RevertProgress) => void,
  ): void {
    const { meta, blockReader, blocks } = this.#tables;
    const header = blockReader.header(blockNumber);
    if (header === undefined) throw new InvariantError(`there is no block ${blockNumber}`);
    const lastNodeId = rebuildTries(this.#tables, this.#pages, header, firstNodeId, onProgress);
    blocks.setLastNodeId(blockNumber, lastNodeId);
    meta.setNumber(META.oldestTrieBlock, blockNumber);
  }

  #lowerL1Accepted(blockNumber: number): void {
    const { meta } = this.#tables;
    const known = meta.number(META.l1Accepted);
    if (known === undefined || known <= blockNumber) return;
    if (blockNumber < 0) meta.remove(META.l1Accepted);
    else meta.setNumber(META.l1Accepted, blockNumber);
  }
}
