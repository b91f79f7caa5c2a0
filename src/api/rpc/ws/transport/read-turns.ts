import { type Client, FairQueue } from "../../limits/fair-queue.ts";

/** Maximum work for all WebSocket connections per turn of the event loop, in milliseconds. */
const SLICE_MS = 4;

/** Maximum turn of one connection, in milliseconds; the message in progress may exceed it. */
const TURN_MS = 1;

/**
 * Maximum charge of a turn, as a multiple of its expected cost: a pause of the whole thread, such as garbage
 * collection, is not the client's fault.
 */
const MAX_EXCESS = 8;

/** Minimum expected cost of a turn, in milliseconds. */
const MIN_COST_MS = 0.02;

/** Work of a connection in its turn. */
export interface ReadJob {
  /** Expected cost of a turn, in milliseconds: short ones come before long ones. */
  readonly costMs: number;
  /** Works until the time is over. */
  run(endMs: number): void;
}

/** Dependencies of {@link ReadTurns}. */
export interface ReadTurnsDeps {
  /** Calls back after everything that has arrived was served. */
  readonly later: (turn: () => void) => void;
  /** Monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Shares a part of the main thread among WebSocket connections: reading frames, handling messages and ending
 * subscriptions all happen in turns. Connections that used less time come first, and the connections of one
 * address share its part, as in {@link FairQueue}.
 */
export class ReadTurns {
  readonly #deps: ReadTurnsDeps;
  readonly #waiting = new FairQueue<ReadJob>(expectedMs);
  /** Time used of the current slice. */
  #usedMs = 0;
  #isScheduled = false;
  #isRunning = false;

  constructor(deps: ReadTurnsDeps) {
    this.#deps = deps;
  }

  /** Runs the job in a turn of the client: immediately if no other waits and the slice has time left. */
  take(client: Client, job: ReadJob): void {
    this.#waiting.push(client, job);
    if (this.#isRunning) return;
    if (this.#waiting.size === 1) this.#runSlice();
    this.#schedule();
  }

  /** Drops a waiting job: its client has disconnected. */
  drop(client: Client, job: ReadJob): void {
    this.#waiting.remove(client, job);
  }

  /** The next slice starts after everything else that has arrived was served. */
  #schedule(): void {
    if (this.#isScheduled || (this.#waiting.size === 0 && this.#usedMs === 0)) return;
    this.#isScheduled = true;
    this.#deps.later(() => {
      this.#isScheduled = false;
      this.#usedMs = 0;
      this.#runSlice();
      this.#schedule();
    });
  }

  #runSlice(): void {
    this.#isRunning = true;
    while (this.#usedMs < SLICE_MS) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      const mostMs = MAX_EXCESS * expectedMs(next.item);
      const startMs = this.#deps.nowMs();
      next.item.run(startMs + TURN_MS);
      const spentMs = this.#deps.nowMs() - startMs;
      this.#usedMs += spentMs;
      this.#waiting.charge(next.client, Math.min(spentMs, mostMs));
    }
    this.#isRunning = false;
  }
}

function expectedMs({ costMs }: ReadJob): number {
  return Math.max(MIN_COST_MS, Math.min(costMs, TURN_MS));
}
