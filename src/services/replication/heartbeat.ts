import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ObjectStore, PutOutcome } from "#io/objects/index.ts";
import { LEADER } from "./keys.ts";
import type { LeadEpoch } from "./lead-epoch.ts";
import { encodeLeader, type LeaderRecord } from "./leader-record.ts";
import { readLeader } from "./read-leader.ts";

/** Between two signs of life. */
export const HEARTBEAT_MS = 1_000;

/** How long an orderly end waits for the store to hear of it. */
export const LAST_BEAT_MS = 1_000;

/** What a heartbeat works with. */
export interface HeartbeatDeps {
  readonly store: Pick<ObjectStore, "get" | "put" | "putIfAbsent" | "putIfMatch">;
  /** Who leads. */
  readonly self: Pick<LeaderRecord, "epoch" | "instance" | "run" | "gatewayUrl">;
  /** As {@link LeadEpoch.predecessor}. */
  readonly predecessor: LeadEpoch["predecessor"];
  /** As {@link LeaderRecord.newestBlock}. */
  readonly newestBlock: () => number;
  /** Somebody else leads; no sign of life is given any more. Called once. */
  readonly onDeposed: (by: LeaderRecord) => void;
  /** Hears after each attempt: why it failed; `undefined`: it did not. */
  readonly onAttempt: (failure: ObjectStoreError | undefined) => void;
  readonly timer: Timer;
}

/**
 * A record in the store: the own one or that of a sequencer that no longer leads, by its ETag; none; or a copy
 * of one, which has no ETag. A copy is replaced without a condition: whoever else does so is seen at the next
 * look, and which of the two leads their blocks have decided.
 */
type Replaced =
  | { readonly kind: "record"; readonly etag: string }
  | { readonly kind: "none" }
  | { readonly kind: "copy" };

/**
 * Gives a sign of life of a sequencer that leads, each {@link HEARTBEAT_MS}: its record in the store is
 * replaced by the next one, on the condition that nobody else has replaced it.
 */
export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  #counter = 0;
  /** The record that the next one replaces; `undefined`: the store has to be asked. */
  #before: Replaced | undefined;
  #isOver = false;
  #cancel: () => void = () => undefined;
  #beat: Promise<void> = Promise.resolve();

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  /** Begins. Called once. */
  start(): void {
    this.#begin();
  }

  /** Gives no sign any more, and says nothing either. */
  abandon(): void {
    this.#isOver = true;
    this.#cancel();
  }

  /**
   * Says that the sequencer has stopped in order: nobody has to wait for its silence. Settles when the store
   * has heard it, or {@link LAST_BEAT_MS} is over.
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
      // Somebody wrote in between: an answer of ours that was lost, or one whom we have deposed.
      if (!isWritten) await this.#attempt(hasStopped);
      onAttempt(undefined);
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      // Whether it was written is not known.
      this.#before = undefined;
      // Of a node that has ended its questions nobody expects a sign of life.
      if (error.code !== "OBJECT_STORE_STOPPED") onAttempt(error);
    }
  }

  /** @returns whether it is written, or never will be */
  async #attempt(hasStopped: boolean): Promise<boolean> {
    const before = this.#before ?? (await this.#look());
    if (before === undefined) return true;
    this.#before = undefined;
    const etag = await this.#put(before, hasStopped);
    if (etag !== undefined) this.#before = { kind: "record", etag };
    return etag !== undefined || before.kind === "copy";
  }

  /** @returns the ETag of what is written; `undefined` when nothing is, or it is not known */
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

  /** Looks who is there. @returns what is to be replaced; `undefined` when another one leads */
  async #look(): Promise<Replaced | undefined> {
    const stored = await readLeader(this.#deps.store);
    const leader = stored?.leader;
    if (leader !== undefined && this.#isDeposedBy(leader)) {
      // Whoever stops is not told any more.
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

  /** One of an earlier epoch is: the block that this sequencer began with has deposed it. */
  #isDeposedBy({ epoch, run }: LeaderRecord): boolean {
    const { self, predecessor } = this.#deps;
    if (epoch !== self.epoch) return epoch > self.epoch;
    return run !== self.run && run !== predecessor;
  }
}

function etagOf(outcome: PutOutcome): string | undefined {
  return outcome.kind === "stored" ? outcome.etag : undefined;
}
