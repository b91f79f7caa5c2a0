/** Work of one thread, in pieces. */
export interface WorkLoopDeps<T> {
  /** Does one piece. */
  readonly work: (item: T) => void;
  /** Called after every piece. @param idle - nothing waits any more */
  readonly afterEach: (idle: boolean) => void;
  readonly onFailure: (error: unknown) => void;
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs: () => number;
}

/** How long pieces are done in a row: a turn of the thread costs as much as a small one of them. */
export const SLICE_MS = 1;

/**
 * Does pieces of work one by one; the thread hears all messages that are there after each piece that
 * ends later than {@link SLICE_MS} after it last did.
 */
export class WorkLoop<T> {
  readonly #deps: WorkLoopDeps<T>;
  #items: T[] = [];
  #scheduled = false;

  constructor(deps: WorkLoopDeps<T>) {
    this.#deps = deps;
  }

  /** Pieces that wait. */
  get size(): number {
    return this.#items.length;
  }

  /** Whether nothing waits. */
  get isIdle(): boolean {
    return this.#items.length === 0;
  }

  /** Puts a piece behind the others. */
  push(item: T): void {
    this.#items.push(item);
    this.#schedule();
  }

  /** Forgets everything that waits. */
  drop(): void {
    this.#items = [];
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      try {
        const endsAtMs = this.#deps.nowMs() + SLICE_MS;
        do this.#next();
        while (!this.isIdle && this.#deps.nowMs() < endsAtMs);
      } catch (error) {
        this.#deps.onFailure(error);
        return;
      }
      if (!this.isIdle) this.#schedule();
    });
  }

  #next(): void {
    const item = this.#items.shift();
    if (item === undefined) return;
    this.#deps.work(item);
    this.#deps.afterEach(this.isIdle);
  }
}
