import type { MempoolEntry } from "./mempool/index.ts";
import type { ClassContents } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { SubmissionOutcome } from "./messages.ts";

/** Where groups go. */
export interface GroupCommitDeps<D> {
  /**
   * Writes what was added and what had to make room for it; need not be durable on return.
   *
   * @throws {StorageError} when that fails; the node stops then
   */
  readonly write: (added: readonly AddedEntry[], dropped: readonly D[]) => void;
  /** Settles when everything written before the call survives power loss. */
  readonly sync: () => Promise<void>;
  /**
   * Whether what is written may be handed on at once, beside its flush: it survives the death of the process
   * then, and power loss only a little later.
   */
  readonly goesAhead: () => boolean;
  /** Something was written that may be handed on before it is durable. */
  readonly onAhead: () => void;
  /** The answers of what is durable now. */
  readonly onDurable: (outcomes: readonly SubmissionOutcome[]) => void;
  readonly onFailure: (error: unknown) => void;
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs: () => number;
}

/** An entry with the class that it declares. */
export interface AddedEntry extends MempoolEntry {
  readonly declared?: ClassContents;
}

/** A transaction that validation took. */
export interface TakenSubmission<D> extends SubmissionOutcome {
  readonly entry: MempoolEntry;
  /** The class that it declares; it is kept on disk alone. */
  readonly declared?: ClassContents | undefined;
  /** What the mempool dropped to make room for it. */
  readonly dropped: readonly D[];
}

/** A group is open for this long at least while more transactions wait to be validated. */
const SHORTEST_GROUP_MS = 1;

/** However slow the disk is, a group does not grow beyond this before it is written. */
const LONGEST_GROUP_MS = 50;

/**
 * Makes taken transactions durable in groups, beside validation: while one group is on its way to the
 * disk, the next one fills, so that a group is as long as the disk needs. Nothing is answered before
 * its group is durable. Where transactions go ahead of that, groups are written during a flush, too, and the
 * next flush makes them durable. A write that fails is the end: answers that are due are never given.
 */
export class GroupCommit<D> {
  readonly #deps: GroupCommitDeps<D>;
  /** By hash, from their addition until they are durable. */
  readonly #volatile = new Map<Felt, TakenSubmission<D>>();
  #group = new Set<TakenSubmission<D>>();
  /** What the next flush makes durable. */
  #written: TakenSubmission<D>[] = [];
  /** Of the open group; before the first one, long ago. */
  #openedAtMs = Number.NEGATIVE_INFINITY;
  #lastSyncMs = 0;
  #syncing: Promise<void> | undefined;
  #failed = false;

  constructor(deps: GroupCommitDeps<D>) {
    this.#deps = deps;
  }

  /** Whether a transaction would survive power loss. */
  isDurable(hash: Felt): boolean {
    return !this.#volatile.has(hash);
  }

  /** Whether a transaction may be handed on. */
  mayGo(hash: Felt): boolean {
    const taken = this.#volatile.get(hash);
    return taken === undefined || (this.#deps.goesAhead() && !this.#group.has(taken));
  }

  /** Transactions that were added and may not be handed on yet. */
  get size(): number {
    return this.#deps.goesAhead() ? this.#group.size : this.#volatile.size;
  }

  /** Puts a transaction into the open group. */
  add(taken: TakenSubmission<D>): void {
    if (this.#group.size === 0) this.#openedAtMs = this.#deps.nowMs();
    this.#group.add(taken);
    this.#volatile.set(taken.entry.hash, taken);
  }

  /**
   * Closes the open group if its time has come.
   *
   * @param idle - nothing waits that could join the group
   */
  closeIfDue(idle: boolean): void {
    if (this.#group.size === 0 || this.#failed) return;
    if (this.#syncing !== undefined && !this.#deps.goesAhead()) return;
    const dueMs = Math.max(SHORTEST_GROUP_MS, Math.min(LONGEST_GROUP_MS, this.#lastSyncMs));
    if (idle || this.#deps.nowMs() - this.#openedAtMs >= dueMs) this.#close();
  }

  /** Makes everything durable that was added; settles at once after a failure. */
  async flush(): Promise<void> {
    while (!this.#failed && this.#volatile.size > 0) {
      if (this.#syncing === undefined) this.#close();
      await this.#syncing;
    }
  }

  #close(): void {
    try {
      this.#write();
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#syncing === undefined) this.#sync();
  }

  #write(): void {
    const group = [...this.#group];
    if (group.length === 0) return;
    const { write, goesAhead, onAhead } = this.#deps;
    write(
      group.map(({ entry, declared }) => (declared === undefined ? entry : { ...entry, declared })),
      group.flatMap(({ dropped }) => dropped),
    );
    this.#group = new Set();
    this.#written.push(...group);
    if (goesAhead()) onAhead();
  }

  #sync(): void {
    const written = this.#written;
    this.#written = [];
    this.#syncing = this.#makeDurable(written).catch((error: unknown) => this.#fail(error));
  }

  async #makeDurable(written: readonly TakenSubmission<D>[]): Promise<void> {
    const { sync, nowMs, onDurable } = this.#deps;
    const startedMs = nowMs();
    await sync();
    this.#lastSyncMs = nowMs() - startedMs;
    for (const taken of written) {
      const { hash } = taken.entry;
      // It may have been rejected meanwhile, and be here again.
      if (this.#volatile.get(hash) === taken) this.#volatile.delete(hash);
    }
    this.#syncing = undefined;
    onDurable(written.map(({ id, outcome }) => ({ id, outcome })));
    // Whoever was told may have closed the next group.
    if (this.#syncing === undefined && this.#written.length > 0) this.#sync();
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#deps.onFailure(error);
  }
}
