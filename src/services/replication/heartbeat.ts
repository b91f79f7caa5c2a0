import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ObjectStore, PutOutcome } from "#io/objects/index.ts";
import { LEADER } from "./keys.ts";
import type { LeadEpoch } from "./lead-epoch.ts";
import { encodeLeader, type LeaderRecord } from "./leader-record.ts";
import { readLeader } from "./read-leader.ts";

/** Interval between two heartbeats. */
export const HEARTBEAT_MS = 1_000;

/** Maximum time an orderly shutdown waits for its last heartbeat to be stored. */
export const LAST_BEAT_MS = 1_000;

/** Dependencies of a {@link Heartbeat}. */
export interface HeartbeatDeps {
  readonly store: Pick<ObjectStore, "get" | "put" | "putIfAbsent" | "putIfMatch">;
  /** Identity that this sequencer writes into its records. */
  readonly self: Pick<LeaderRecord, "epoch" | "instance" | "run" | "gatewayUrl">;
  /** Same as {@link LeadEpoch.predecessor}. */
  readonly predecessor: LeadEpoch["predecessor"];
  /** Same as {@link LeaderRecord.newestBlock}. */
  readonly newestBlock: () => number;
  /** Called once when another sequencer leads. Heartbeats have stopped then. */
  readonly onDeposed: (by: LeaderRecord) => void;
  /** Called after each attempt with its failure; `undefined` if it succeeded. */
  readonly onAttempt: (failure: ObjectStoreError | undefined) => void;
  readonly timer: Timer;
}

/**
 * Stored record that the next write replaces.
 *
 * - `record`: our own record, or one of a former leader, identified by its ETag.
 * - `none`: the store has no record.
 * - `copy`: a copied record without an ETag, which is replaced unconditionally. A concurrent overwrite shows
 *   at the next read; the published blocks have already decided which sequencer leads.
 */
type Replaced =
  | { readonly kind: "record"; readonly etag: string }
  | { readonly kind: "none" }
  | { readonly kind: "copy" };

/**
 * Writes a heartbeat of a leading sequencer every {@link HEARTBEAT_MS}. Each write replaces the stored record
 * on the condition that nobody else has replaced it.
 */
export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  #counter = 0;
  /** Record that the next write replaces; `undefined` if it must be read from the store first. */
  #before: Replaced | undefined;
  #isOver = false;
  #cancel: () => void = () => undefined;
  #beat: Promise<void> = Promise.resolve();

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#begin();
  }

  /** Stops heartbeats and callbacks without a last record. */
  abandon(): void {
    this.#isOver = true;
    this.#cancel();
  }

  /**
   * Writes a last record that announces an orderly stop, so that nobody waits for silence. Settles when it is
   * stored, or after {@link LAST_BEAT_MS}.
   */
  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.abandon();
    const { timer } = this.#deps;
    const late = new Promise<void>((over) => void timer.after(LAST_BEAT_MS, over));
    await Promise.race([this.#beat.then(() => this.#write(true)), late]);
  }

  #begin(): void {
    const { timer } = this.#deps;
    const beganMs = timer.nowMs();
    this.#beat = this.#write(false).then(() => {
      if (this.#isOver) return;
      const restMs = Math.max(0, beganMs + HEARTBEAT_MS - timer.nowMs());
      this.#cancel = timer.after(restMs, () => this.#begin());
    });
  }

  async #write(hasStopped: boolean): Promise<void> {
    const { onAttempt } = this.#deps;
    try {
      const isWritten = await this.#attempt(hasStopped);
      if (this.#isOver && !hasStopped) return;
      // The record has changed: by our own write whose response was lost, or by a sequencer we deposed.
      if (!isWritten) await this.#attempt(hasStopped);
      onAttempt(undefined);
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      // Whether the record was written is unknown.
      this.#before = undefined;
      // A node that has aborted its requests is stopping: nobody expects a heartbeat from it.
      if (error.code !== "OBJECT_STORE_STOPPED") onAttempt(error);
    }
  }

  /** @returns `false` if the write lost a race and should be retried */
  async #attempt(hasStopped: boolean): Promise<boolean> {
    const before = this.#before ?? (await this.#readReplaced());
    if (before === undefined) return true;
    this.#before = undefined;
    const etag = await this.#put(before, hasStopped);
    if (etag !== undefined) this.#before = { kind: "record", etag };
    return etag !== undefined || before.kind === "copy";
  }

  /** @returns ETag of the written record; `undefined` if nothing was written or the outcome is unknown */
  async #put(before: Replaced, hasStopped: boolean): Promise<string | undefined> {
    const { store, self, newestBlock } = this.#deps;
    this.#counter++;
    const newest = newestBlock();
    const bytes = encodeLeader({
      ...self,
      counter: this.#counter,
      newestBlock: newest,
      hasStopped,
    });
    switch (before.kind) {
      case "record":
        return etagOf(await store.putIfMatch(LEADER, bytes, before.etag));
      case "none":
        return etagOf(await store.putIfAbsent(LEADER, bytes));
      case "copy":
        await store.put(LEADER, bytes);
        return undefined;
    }
  }

  /** Reads the current record. @returns the record to replace; `undefined` if another sequencer leads */
  async #readReplaced(): Promise<Replaced | undefined> {
    const stored = await readLeader(this.#deps.store);
    const leader = stored?.leader;
    if (leader !== undefined && this.#isDeposedBy(leader)) {
      // A stopping node is not notified.
      const isNews = !this.#isOver;
      this.abandon();
      if (isNews) this.#deps.onDeposed(leader);
      return undefined;
    }
    this.#counter = Math.max(this.#counter, leader?.counter ?? 0);
    if (stored === undefined) return { kind: "none" };
    const { etag } = stored;
    return etag === undefined ? { kind: "copy" } : { kind: "record", etag };
  }

  /** Whether the record deposes this sequencer. Older epochs do not: its first block deposed them. */
  #isDeposedBy({ epoch, run }: LeaderRecord): boolean {
    const { self, predecessor } = this.#deps;
    if (epoch !== self.epoch) return epoch > self.epoch;
    return run !== self.run && run !== predecessor;
  }
}

function etagOf(outcome: PutOutcome): string | undefined {
  return outcome.kind === "stored" ? outcome.etag : undefined;
}
