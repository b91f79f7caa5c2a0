import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import type { LeaderRecord } from "./leader-record.ts";
import { readLeader } from "./read-leader.ts";

/** Between two looks at who leads. */
export const WATCH_MS = 500;

/** What one look has shown. */
export interface LeaderSeen {
  /** `undefined`: nobody has led yet. */
  readonly leader: LeaderRecord | undefined;
  /**
   * How long it has not changed, by the own monotonic clock, as far as every look since then has been
   * answered: a store that does not answer says nothing about the leader.
   */
  readonly silentMs: number;
  /** It has changed since the look before. */
  readonly hasMoved: boolean;
}

/** What watching works with. */
export interface LeaderWatchDeps {
  readonly store: Pick<ObjectStore, "get">;
  /** Silence that somebody waits for: it is looked when it is that long, too. */
  readonly silenceMs: number;
  readonly onSeen: (seen: LeaderSeen) => void;
  /** A look was not answered: the silence that was measured counts no more. */
  readonly onUnseen: (failure: ObjectStoreError) => void;
  readonly timer: Timer;
}

/** Looks each {@link WATCH_MS} who leads, and whether that one gives signs of life. */
export class LeaderWatch {
  readonly #deps: LeaderWatchDeps;
  /** What was seen last, as text; `undefined`: nothing yet. */
  #last: string | undefined;
  #silentSinceMs: number | undefined;
  /** As it was told last. */
  #silentMs = 0;
  #isOver = false;
  #cancel: () => void = () => undefined;

  constructor(deps: LeaderWatchDeps) {
    this.#deps = deps;
  }

  /** Begins. Called once. */
  start(): void {
    this.#begin();
  }

  /** Looks no more, and tells no more. */
  stop(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #begin(): void {
    const { timer } = this.#deps;
    const beganMs = timer.nowMs();
    void this.#look(beganMs).then(() => {
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

  async #look(beganMs: number): Promise<void> {
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
    // From the end of the look that showed it to the beginning of this one: never more than it was.
    if (hasMoved || this.#silentSinceMs === undefined) this.#silentSinceMs = timer.nowMs();
    const silentMs = Math.max(0, beganMs - this.#silentSinceMs);
    this.#silentMs = silentMs;
    if (!this.#isOver) onSeen({ leader, silentMs, hasMoved });
  }
}
