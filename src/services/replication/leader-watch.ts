import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import type { LeaderRecord } from "./leader-record.ts";
import { readLeader } from "./read-leader.ts";

/** Interval between two polls of the leader record. */
export const WATCH_MS = 500;

/** Result of one poll of the leader record. */
export interface LeaderSeen {
  /** `undefined` if nobody has led yet. */
  readonly leader: LeaderRecord | undefined;
  /**
   * Time since the record last changed, by the local monotonic clock. Counts only a span in which every poll
   * was answered: a store that does not answer says nothing about the leader.
   */
  readonly silentMs: number;
  /** Whether the record has changed since the poll before. */
  readonly hasMoved: boolean;
}

/** Dependencies of a {@link LeaderWatch}. */
export interface LeaderWatchDeps {
  readonly store: Pick<ObjectStore, "get">;
  /** Silence that the caller waits for; an extra poll is made when it is reached. */
  readonly silenceMs: number;
  readonly onSeen: (seen: LeaderSeen) => void;
  /** Called when a poll failed. The silence measured so far is discarded. */
  readonly onUnseen: (failure: ObjectStoreError) => void;
  readonly timer: Timer;
}

/** Polls the leader record every {@link WATCH_MS} and measures the leader's silence. */
export class LeaderWatch {
  readonly #deps: LeaderWatchDeps;
  /** Latest record as text; `undefined` until the first poll. */
  #last: string | undefined;
  #silentSinceMs: number | undefined;
  #silentMs = 0;
  #isOver = false;
  #cancel: () => void = () => undefined;

  constructor(deps: LeaderWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#begin();
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #begin(): void {
    const { timer } = this.#deps;
    const beganMs = timer.nowMs();
    void this.#poll(beganMs).then(() => {
      if (this.#isOver) return;
      this.#cancel = timer.after(this.#restMs(beganMs), () => this.#begin());
    });
  }

  #restMs(beganMs: number): number {
    const { timer, silenceMs } = this.#deps;
    const nowMs = timer.nowMs();
    const restMs = Math.max(0, beganMs + WATCH_MS - nowMs);
    if (this.#silentSinceMs === undefined || this.#silentMs >= silenceMs) return restMs;
    return Math.min(restMs, Math.max(0, this.#silentSinceMs + silenceMs - nowMs));
  }

  async #poll(beganMs: number): Promise<void> {
    const { store, timer, onSeen, onUnseen } = this.#deps;
    let leader: LeaderRecord | undefined;
    try {
      leader = (await readLeader(store))?.leader;
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      this.#silentSinceMs = undefined;
      if (!this.#isOver) onUnseen(error);
      return;
    }
    const text = JSON.stringify(leader ?? null);
    const hasMoved = this.#last !== undefined && this.#last !== text;
    this.#last = text;
    // Measured from the end of the poll that showed the change to the start of this one: never
    // overestimated.
    if (hasMoved || this.#silentSinceMs === undefined) this.#silentSinceMs = timer.nowMs();
    const silentMs = Math.max(0, beganMs - this.#silentSinceMs);
    this.#silentMs = silentMs;
    if (!this.#isOver) onSeen({ leader, silentMs, hasMoved });
  }
}
