/**
 * Revert: an earlier block becomes the newest one, and the database is as if those above had never been.
 *
 * What it goes through, in one transaction:
 *
 * - *refused*, with nothing changed, when the state of that block is no longer kept. Block 0 can always
 *   be reached, as its diff is its state, and so can nothing at all (-1); but a chain from a snapshot goes
 *   back to its first block at most.
 * - *blocks*: from the newest down, versions of the state and transactions of each block are deleted.
 * - *tries*: where those of the block are kept, what is above its mark is deleted. Else they are built
 *   again from the state (`rebuildTries`), in steps of 16 384 leaves, and must have the root that the
 *   block's header says; if not, nothing was changed (`STORAGE_ROOT_MISMATCH`).
 * - *done*: classes, messages and headers above are gone; what is accepted on L1 is lowered.
 *
 * Who begins it: a running node, once its threads have stopped and before they begin anew, in a thread of
 * its own; `appchain db revert`, where no node runs. Nobody else writes meanwhile. Readers see the old
 * chain or the new one; a node shows clients nothing that is about to go.
 *
 * What survives:
 *
 * - A kill or a loss of power at any moment: the chain from before, or the reverted one, whole.
 * - A full disk: the chain from before, as with every other error of the database.
 * - Received transactions: they are in another file, which whoever asks for the revert keeps or deletes.
 *   Those of the blocks that go are gone with them; compiled classes stay, as they do not depend on the
 *   chain.
 *
 * The time it takes grows with the blocks that go, and with the whole state where tries are built again
 * (`RevertProgress` tells how far it is); the memory that it needs does not.
 */
import { InvariantError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { META } from "../meta.ts";
import { nothingOlderError, prunedError } from "../retention.ts";
import type { RevertProgress } from "../types.ts";
import type { WriterTables } from "../writer-tables.ts";
import { rebuildTries } from "./rebuild-tries.ts";
import type { StatePages } from "./state-pages.ts";

/** Blocks between two reports of progress. */
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
   * Makes `blockNumber` the newest block; -1 removes everything. Block 0 always can be: its diff is
   * its state.
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

  /** The state of block 0 is what its own diff says, whatever was deleted of it since. */
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
