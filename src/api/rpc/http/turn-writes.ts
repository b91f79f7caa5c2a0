/** What is written by somebody for whom a {@link WriteTurn} decides when. */
export interface Releasable {
  /** Writes what is held back. */
  release(): void;
}

/** Decides when answers that are held back go out. */
export interface WriteTurn {
  /** Something holds back an answer; it may hold back others already. */
  add(output: Releasable): void;
}

/** How long answers are held back after the first one. */
const MAX_HELD_MS = 0.25;

/** While answers take longer to make than that, on average, none is held back: it would wait for others. */
const MAX_PAUSE_MS = 0.05;

/** Weight of the newest pause in the average. */
const PAUSE_WEIGHT = 1 / 16;

/**
 * Lets the answers of one turn of the event loop go out together, at its end. A write wakes whoever reads at
 * the other end, which takes several times as long as the write itself. Who reads one answer while the next
 * one is written need not be woken again; who has had its answer before the next one is made sleeps again.
 */
export class TurnWrites implements WriteTurn {
  readonly #atEnd: (flush: () => void) => void;
  readonly #nowMs: () => number;
  #held: Releasable[] = [];
  /** A turn has begun and not ended. */
  #isTurn = false;
  /** When the first of those that are held back came, and the last of all. */
  #sinceMs = 0;
  #lastMs = 0;
  /** Between answers of one turn, on average. */
  #pauseMs = 0;

  /**
   * @param atEnd - calls back at the end of the turn
   * @param nowMs - a clock that never goes back
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
