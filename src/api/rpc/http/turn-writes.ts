/** Output that is flushed when a {@link WriteTurn} decides. */
export interface Releasable {
  release(): void;
}

/** Decides when held responses are flushed. */
export interface WriteTurn {
  /** Registers an output that holds a response; it may be registered already. */
  add(output: Releasable): void;
}

/** How long responses are held after the first one before they are flushed together. */
const MAX_HELD_MS = 0.25;

/** If responses take longer than this to produce, on average, none is held: it would only wait for others. */
const MAX_PAUSE_MS = 0.05;

/** Weight of the newest pause in the average. */
const PAUSE_WEIGHT = 1 / 16;

/**
 * Flushes the responses of one event-loop turn together, at its end. A write wakes the reader at the other
 * end, which takes several times as long as the write itself. A reader that is still busy with one response
 * when the next is written need not be woken again; one that finishes before the next response goes back to
 * sleep.
 */
export class TurnWrites implements WriteTurn {
  readonly #atEnd: (flush: () => void) => void;
  readonly #nowMs: () => number;
  #held: Releasable[] = [];
  /** A turn is in progress. */
  #isTurn = false;
  /** Time of the first held response, and of the latest response. */
  #sinceMs = 0;
  #lastMs = 0;
  /** Average pause between responses of one turn. */
  #pauseMs = 0;

  /**
   * @param atEnd - calls back at the end of the turn
   * @param nowMs - monotonic clock
   */
  constructor(atEnd: (flush: () => void) => void, nowMs: () => number) {
    this.#atEnd = atEnd;
    this.#nowMs = nowMs;
  }

  add(output: Releasable): void {
    const nowMs = this.#nowMs();
    if (this.#isTurn) this.#pauseMs += (nowMs - this.#lastMs - this.#pauseMs) * PAUSE_WEIGHT;
    else this.#begin();
    this.#lastMs = nowMs;
    if (this.#held.length === 0) this.#sinceMs = nowMs;
    this.#held.push(output);
    const isSlow = this.#pauseMs > MAX_PAUSE_MS || nowMs - this.#sinceMs > MAX_HELD_MS;
    if (isSlow) this.#release();
  }

  #begin(): void {
    this.#isTurn = true;
    this.#atEnd(() => {
      this.#isTurn = false;
      this.#release();
    });
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const output of held) output.release();
  }
}
