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
  /** The answers of a group that is durable now. */
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
 * its group is durable. A write that fails is the end: answers that are due are never given.
 */
export class GroupCommit<D> {
  readonly #deps: GroupCommitDeps<D>;
  /** Hashes from their addition until they are durable. */
  readonly #volatile = new Set<Felt>();
  #group: TakenSubmission<D>[] = [];
  /** Of the open group; before the first one, long ago. */
  #openedAtMs = Number.NEGATIVE_INFINITY;
  #lastSyncMs = 0;
  #syncing: Promise<void> | undefined;
  #failed = false;

  constructor(deps: GroupCommitDeps<D>) {
    this.#deps = deps;
  }

  /** Whether a transaction may be handed on: it would survive power loss. */
  isDurable(hash: Felt): boolean {
    return !this.#volatile.has(hash);
  }

  /** Transactions that were added and are not durable. */
  get size(): number {
    return this.#volatile.size;
  }

  /** Puts a transaction into the open group. */
  add(taken: TakenSubmission<D>): void {
    if (this.#group.length === 0) this.#openedAtMs = this.#deps.nowMs();
    this.#group.push(taken);
    this.#volatile.add(taken.entry.hash);
  }

  /**
   * Closes the open group if its time has come.
   *
   * @param idle - nothing waits that could join the group
   */
  closeIfDue(idle: boolean): void {
    if (this.#group.length === 0 || this.#syncing !== undefined || this.#failed) return;
    const dueMs = Math.max(SHORTEST_GROUP_MS, Math.min(LONGEST_GROUP_MS, this.#lastSyncMs));
    if (idle || this.#deps.nowMs() - this.#openedAtMs >= dueMs) this.#close();
  }

  /** Makes everything durable that was added; settles at once after a failure. */
  async flush(): Promise<void> {
    while (!this.#failed && (this.#syncing !== undefined || this.#group.length > 0)) {
      if (this.#syncing === undefined) this.#close();
      await this.#syncing;
    }
  }

  #close(): void {
    const group = this.#group;
    this.#group = [];
    this.#syncing = this.#commit(group).catch((error: unknown) => {
      this.#failed = true;
      this.#deps.onFailure(error);
    });
  }

  async #commit(group: readonly TakenSubmission<D>[]): Promise<void> {
    const { write, sync, nowMs, onDurable } = this.#deps;
    const startedMs = nowMs();
    write(
      group.map(({ entry, declared }) => (declared === undefined ? entry : { ...entry, declared })),
      group.flatMap(({ dropped }) => dropped),
    );
    await sync();
    this.#lastSyncMs = nowMs() - startedMs;
    for (const { entry } of group) this.#volatile.delete(entry.hash);
    // Whoever is told may close the next group.
    this.#syncing = undefined;
    onDurable(group.map(({ id, outcome }) => ({ id, outcome })));
  }
}
