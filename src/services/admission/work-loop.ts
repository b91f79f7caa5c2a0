/** Work of one thread, in pieces. */
export interface WorkLoopParts<T> {
  /** Does one piece. */
  readonly work: (item: T) => void;
  /** Called after every piece. @param idle - nothing waits any more */
  readonly afterEach: (idle: boolean) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Does pieces of work one by one; between two of them the thread hears all messages that are there. */
export class WorkLoop<T> {
  readonly #parts: WorkLoopParts<T>;
  #items: T[] = [];
  #scheduled = false;

  constructor(parts: WorkLoopParts<T>) {
    this.#parts = parts;
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
        this.#next();
      } catch (error) {
        this.#parts.onFailure(error);
        return;
      }
      if (!this.isIdle) this.#schedule();
    });
  }

  #next(): void {
    const item = this.#items.shift();
    if (item === undefined) return;
    this.#parts.work(item);
    this.#parts.afterEach(this.isIdle);
  }
}
