import type { Timer } from "#base/primitives/index.ts";
import type { ExplorerStore } from "#io/storage/index.ts";
import { type IndexedChain, readBatch } from "./batch.ts";
import { type IndexFailure, indexFailureOf } from "./failure.ts";
import { commonAncestor } from "./common-ancestor.ts";

/** Progress of the index. */
export type IndexReport =
  /** Blocks `from` to `to` are indexed; `to` is `null` while none is. */
  | { readonly kind: "indexed"; readonly from: number; readonly to: number | null }
  /** Indexing pauses, because the file cannot be written or read. Sent once until it continues. */
  | { readonly kind: "paused"; readonly reason: string }
  /** Indexing continues after a pause. */
  | { readonly kind: "continued" }
  /** The index is deleted, and built again from the first block. */
  | { readonly kind: "rebuilt"; readonly reason: string };

/** Dependencies of an {@link ExplorerIndexer}. */
export interface IndexerDeps {
  readonly chain: IndexedChain;
  /**
   * Opens or creates the file.
   *
   * @throws {StorageError} as `openExplorerStore`
   */
  readonly open: () => Promise<ExplorerStore>;
  /** Deletes the file. */
  readonly remove: () => void;
  /** Whether the file that {@link open} opened last is still at its path. */
  readonly isInPlace: () => boolean;
  readonly report: (report: IndexReport) => void;
  readonly timer: Timer;
}

/** Pause after a batch, so that messages and other threads get their turn, in milliseconds. */
const BREATH_MS = 1;

/** Pauses after failures: the first, and the longest, in milliseconds. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Rebuilds without a batch in between, after which a failure pauses instead. */
const MAX_REBUILDS = 2;

/**
 * Keeps the explorer's index equal to the chain, in small steps. Its failures never reach the node: it pauses,
 * or builds the index again.
 *
 * The chain may be reverted only while no indexer runs; a new one finds the last block in common.
 */
export class ExplorerIndexer {
  readonly #deps: IndexerDeps;
  #store: ExplorerStore | undefined;
  /** Whether the newest indexed block is on the chain. */
  #isVerified = false;
  /** Newest visible block; -1 before the first. `undefined` until known. */
  #head: number | undefined;
  #cancel: (() => void) | undefined;
  #isRunning = false;
  #isStopped = false;
  #pauseMs = 0;
  #rebuilds = 0;

  constructor(deps: IndexerDeps) {
    this.#deps = deps;
  }

  /** Indexes blocks up to this one, which is visible to clients; -1 if none is. */
  grown(head: number): void {
    this.#head = head;
    // A pause ends by itself.
    if (this.#cancel === undefined) this.#later(0);
  }

  /** Builds the index again, because a reader has found damage. */
  rebuild(reason: string): void {
    // If the file cannot be deleted now, a later request finds the damage again.
    this.#tryDrop(reason);
    if (this.#cancel === undefined) this.#later(0);
  }

  /** Ends after the current step, and closes the file. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#close();
  }

  #later(ms: number): void {
    if (this.#isStopped || this.#isRunning) return;
    this.#cancel?.();
    this.#cancel = this.#deps.timer.after(ms, () => {
      this.#cancel = undefined;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let waitMs: number | undefined;
    try {
      waitMs = (await this.#step()) ? BREATH_MS : undefined;
      this.#continued();
    } catch (error) {
      waitMs = this.#failed(indexFailureOf(error));
    }
    this.#isRunning = false;
    if (waitMs !== undefined) this.#later(waitMs);
  }

  /** @returns whether more is left */
  async #step(): Promise<boolean> {
    const { open, isInPlace } = this.#deps;
    if (this.#store !== undefined && !isInPlace()) this.#drop("its file was deleted or replaced");
    const store = (this.#store ??= await open());
    // Opening took a turn, in which the thread may have been stopped.
    if (this.#isStopped) this.#close();
    if (this.#isStopped || this.#head === undefined) return false;
    if (!this.#isVerified && !this.#verify(store)) return true;
    return this.#fill(store, this.#head);
  }

  /** Removes blocks that are not on the chain. @returns whether the index can be continued */
  #verify(store: ExplorerStore): boolean {
    const { chain } = this.#deps;
    const oldest = store.oldest();
    const newest = store.newest();
    if (oldest !== undefined && newest !== undefined) {
      const ancestor =
        oldest.number === chain.oldestBlock() ? commonAncestor(store, chain) : undefined;
      if (ancestor === undefined) {
        this.#drop("it belongs to another chain");
        return false;
      }
      if (ancestor < newest.number) store.unwind(ancestor);
    }
    this.#isVerified = true;
    this.#reportRange(store);
    return true;
  }

  #fill(store: ExplorerStore, head: number): boolean {
    const { chain } = this.#deps;
    const newest = store.newest();
    const from = newest === undefined ? chain.oldestBlock() : newest.number + 1;
    const batch = readBatch(chain, newest, from, head);
    if (batch.kind === "otherParent") {
      this.#isVerified = false;
      return true;
    }
    if (batch.blocks.length === 0) return false;
    store.append(batch.blocks);
    this.#rebuilds = 0;
    this.#reportRange(store);
    return from + batch.blocks.length <= head;
  }

  #reportRange(store: ExplorerStore): void {
    const { chain, report } = this.#deps;
    const from = store.oldest()?.number ?? chain.oldestBlock();
    report({ kind: "indexed", from, to: store.newest()?.number ?? null });
  }

  /** @returns time until the next attempt, in milliseconds */
  #failed({ kind, reason }: IndexFailure): number {
    const { report } = this.#deps;
    this.#close();
    if (kind === "unusable" && this.#rebuilds < MAX_REBUILDS) {
      this.#rebuilds++;
      if (this.#tryDrop(reason)) return 0;
    }
    if (this.#pauseMs === 0) report({ kind: "paused", reason });
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
    return this.#pauseMs;
  }

  #continued(): void {
    if (this.#pauseMs === 0) return;
    this.#pauseMs = 0;
    this.#deps.report({ kind: "continued" });
  }

  /** @returns whether the file is gone */
  #tryDrop(reason: string): boolean {
    try {
      this.#drop(reason);
      return true;
    } catch {
      // The folder cannot be written at present; the pause reports it.
      return false;
    }
  }

  #drop(reason: string): void {
    const { remove, report } = this.#deps;
    this.#close();
    remove();
    report({ kind: "rebuilt", reason });
  }

  #close(): void {
    const store = this.#store;
    this.#store = undefined;
    this.#isVerified = false;
    try {
      store?.close();
    } catch {
      // A damaged file may fail to close; nothing of it is needed.
    }
  }
}
