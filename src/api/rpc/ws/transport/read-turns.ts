import { type Client, FairQueue } from "../../limits/fair-queue.ts";

/** Work for all WebSocket connections together between two turns of the event loop, in milliseconds. */
const SLICE_MS = 4;

/** Longest turn of one connection, in milliseconds; the message that it is working on comes on top. */
const TURN_MS = 1;

/**
 * A turn counts at most so many times what was expected of it: a pause of the whole thread, as of garbage
 * collection or of a busy machine, is not the fault of the client whose turn it was.
 */
const MAX_EXCESS = 8;

/** Expected time of the shortest turn, in milliseconds. */
const MIN_COST_MS = 0.02;

/** What a connection does in its turn. */
export interface ReadJob {
  /** What a turn is expected to take, in milliseconds: short ones come before long ones. */
  readonly costMs: number;
  /** Works until the time is over. */
  run(endMs: number): void;
}

/** What {@link ReadTurns} works with. */
export interface ReadTurnsDeps {
  /** Calls back when everything that has arrived has had its turn. */
  readonly later: (turn: () => void) => void;
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Divides a part of the main thread among WebSocket connections: reading frames, handling messages and
 * ending subscriptions all take place in a turn. Connections that used less time come first, and the
 * connections of one address share what an address gets, as in {@link FairQueue}.
 */
export class ReadTurns {
  readonly #deps: ReadTurnsDeps;
  readonly #waiting = new FairQueue<ReadJob>(expectedMs);
  /** Time that is used of the slice. */
  #usedMs = 0;
  #isScheduled = false;
  #isRunning = false;

  constructor(deps: ReadTurnsDeps) {
    this.#deps = deps;
  }

  /** Runs the job in a turn of the client: at once while nobody waits and the slice has time left. */
  take(client: Client, job: ReadJob): void {
    this.#waiting.push(client, job);
    if (this.#isRunning) return;
    if (this.#waiting.size === 1) this.#runSlice();
    this.#schedule();
  }

  /** Forgets a job that waits: its client is gone. */
  drop(client: Client, job: ReadJob): void {
    this.#waiting.remove(client, job);
  }

  /** The next slice begins behind everything else that has arrived. */
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
