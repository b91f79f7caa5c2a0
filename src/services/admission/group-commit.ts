import type { MempoolEntry } from "./mempool/index.ts";
import type { ClassContents } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { SubmissionOutcome } from "./messages.ts";

/** Dependencies of {@link GroupCommit}. */
export interface GroupCommitDeps<D> {
  /**
   * Writes added entries and the entries that they displaced; need not be durable on return.
   *
   * @throws {StorageError} when the write fails; the node then stops
   */
  readonly write: (added: readonly AddedEntry[], dropped: readonly D[]) => void;
  /** Settles when everything written before the call survives power loss. */
  readonly sync: () => Promise<void>;
  /**
   * Whether written transactions may be forwarded immediately, while their flush is in progress. They then
   * survive a process crash, but survive power loss only a little later.
   */
  readonly executesBeforeSync: () => boolean;
  /** Called when written transactions may be forwarded before they are durable. */
  readonly onAhead: () => void;
  /** Receives the outcomes of transactions that are now durable. */
  readonly onDurable: (outcomes: readonly SubmissionOutcome[]) => void;
  readonly onFailure: (error: unknown) => void;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
}

/** An entry of the mempool that is to be stored, with its class if it is a declaration. */
export interface AddedEntry extends MempoolEntry {
  readonly declared?: ClassContents;
}

/** An accepted transaction that is not durable yet. */
export interface AcceptedSubmission<D> extends SubmissionOutcome {
  readonly entry: MempoolEntry;
  /** Class of a declaration; kept only on disk. */
  readonly declared?: ClassContents | undefined;
  /** Entries that the mempool dropped to make room for it. */
  readonly dropped: readonly D[];
}

/** Minimum time that a group stays open while more transactions wait to be validated. */
const SHORTEST_GROUP_MS = 1;

/** Maximum time until a group is written, however slow the disk is. */
const LONGEST_GROUP_MS = 50;

/**
 * Makes accepted transactions durable in groups, in parallel with validation. While one group is being
 * flushed, the next one fills, so that a group lasts as long as a flush takes. No transaction is answered
 * before its group is durable.
 *
 * If transactions may be executed before they are durable, groups are also written during a flush, and the
 * next flush makes them durable. A failed write is fatal: pending answers are never given.
 */
export class GroupCommit<D> {
  readonly #deps: GroupCommitDeps<D>;
  /** By hash, from their addition until they are durable. */
  readonly #volatile = new Map<Felt, AcceptedSubmission<D>>();
  #group = new Set<AcceptedSubmission<D>>();
  /** Written entries that the next flush makes durable. */
  #written: AcceptedSubmission<D>[] = [];
  /** Opening time of the current group; `-Infinity` before the first one. */
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

  /** Whether a transaction may be forwarded to the executor. */
  mayExecute(hash: Felt): boolean {
    const taken = this.#volatile.get(hash);
    return taken === undefined || (this.#deps.executesBeforeSync() && !this.#group.has(taken));
  }

  /** Number of added transactions that may not be forwarded yet. */
  get size(): number {
    return this.#deps.executesBeforeSync() ? this.#group.size : this.#volatile.size;
  }

  /** Adds a transaction to the open group. */
  add(taken: AcceptedSubmission<D>): void {
    if (this.#group.size === 0) this.#openedAtMs = this.#deps.nowMs();
    this.#group.add(taken);
    this.#volatile.set(taken.entry.hash, taken);
  }

  /**
   * Closes the open group if it is due.
   *
   * @param idle - whether no further submission is waiting to join the group
   */
  closeIfDue(idle: boolean): void {
    if (this.#group.size === 0 || this.#failed) return;
    if (this.#syncing !== undefined && !this.#deps.executesBeforeSync()) return;
    const dueMs = Math.max(SHORTEST_GROUP_MS, Math.min(LONGEST_GROUP_MS, this.#lastSyncMs));
    if (idle || this.#deps.nowMs() - this.#openedAtMs >= dueMs) this.#close();
  }

  /** Makes everything added durable; settles immediately after a failure. */
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
    const { write, executesBeforeSync, onAhead } = this.#deps;
    write(
      group.map(({ entry, declared }) => (declared === undefined ? entry : { ...entry, declared })),
      group.flatMap(({ dropped }) => dropped),
    );
    this.#group = new Set();
    this.#written.push(...group);
    if (executesBeforeSync()) onAhead();
  }

  #sync(): void {
    const written = this.#written;
    this.#written = [];
    this.#syncing = this.#makeDurable(written).catch((error: unknown) => this.#fail(error));
  }

  async #makeDurable(written: readonly AcceptedSubmission<D>[]): Promise<void> {
    const { sync, nowMs, onDurable } = this.#deps;
    const startedMs = nowMs();
    await sync();
    this.#lastSyncMs = nowMs() - startedMs;
    for (const taken of written) {
      const { hash } = taken.entry;
      // The entry may have been rejected and added again meanwhile.
      if (this.#volatile.get(hash) === taken) this.#volatile.delete(hash);
    }
    this.#syncing = undefined;
    onDurable(written.map(({ id, outcome }) => ({ id, outcome })));
    // `onDurable` may have closed the next group.
    if (this.#syncing === undefined && this.#written.length > 0) this.#sync();
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#deps.onFailure(error);
  }
}
