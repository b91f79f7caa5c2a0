/** What is written by somebody for whom a {@link WriteTurn} decides when. */
export interface Releasable {
  /** Writes what is held back. */
  release(): void;
}

/** Decides when answers that are held back go out. */
export interface WriteTurn {
  /** Something holds back what it wants to write; called again only after it was released. */
  add(output: Releasable): void;
}

/**
 * How long answers are held back after the first one: those that take no longer to make go out together;
 * one that takes longer keeps none before it waiting.
 */
const MAX_HELD_MS = 0.25;

/**
 * Lets the answers of one turn of the event loop go out together, at its end. A write wakes whoever reads at
 * the other end, which takes several times as long as the write itself. Who reads one answer while the next
 * one is written need not be woken again; who has had its answer before the next one is made sleeps again.
 */
export class TurnWrites implements WriteTurn {
  readonly #atEnd: (flush: () => void) => void;
  readonly #nowMs: () => number;
  #held: Releasable[] = [];
  #sinceMs = 0;

  /**
   * @param atEnd - calls back at the end of the turn
   * @param nowMs - a clock that never goes back
   */
  constructor(atEnd: (flush: () => void) => void, nowMs: () => number) {
    this.#atEnd = atEnd;
    this.#nowMs = nowMs;
  }

  add(output: Releasable): void {
    const { length } = this.#held;
    this.#held.push(output);
    const nowMs = this.#nowMs();
    if (length === 0) {
      this.#sinceMs = nowMs;
      this.#atEnd(() => this.#release());
    } else if (nowMs - this.#sinceMs > MAX_HELD_MS) this.#release();
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const output of held) output.release();
  }
}
