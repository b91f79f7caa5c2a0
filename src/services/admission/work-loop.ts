/** Dependencies of {@link WorkLoop}. */
export interface WorkLoopDeps<T> {
  /** Processes one item. */
  readonly work: (item: T) => void;
  /** Called after every item. @param idle - whether the queue is empty */
  readonly afterEach: (idle: boolean) => void;
  readonly onFailure: (error: unknown) => void;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
}

/** How long items are processed in a row: a turn of the event loop costs as much as a small item. */
export const SLICE_MS = 1;

/** Processes queued items one by one; yields to the event loop after at least {@link SLICE_MS} of work. */
export class WorkLoop<T> {
  readonly #deps: WorkLoopDeps<T>;
  #items: T[] = [];
  #scheduled = false;

  constructor(deps: WorkLoopDeps<T>) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#items.length;
  }

  get isIdle(): boolean {
    return this.#items.length === 0;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#schedule();
  }

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
