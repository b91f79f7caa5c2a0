/** Work of one thread, in pieces. */
export interface WorkLoopDeps<T> {
  /** Does one piece. */
  readonly work: (item: T) => void;
  /** Called after every piece. @param idle - nothing waits any more */
  readonly afterEach: (idle: boolean) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Does pieces of work one by one; between two of them the thread hears all messages that are there. */
export class WorkLoop<T> {
  readonly #deps: WorkLoopDeps<T>;
  #items: T[] = [];
  #scheduled = false;

  constructor(deps: WorkLoopDeps<T>) {
    this.#deps = deps;
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
