import type { BlockReference, BlockSource } from "./ports.ts";
import type { Pause, Pauses } from "./pause.ts";

/** Dependencies of a {@link HeadWatch}. */
export interface HeadWatchDeps {
  readonly source: Pick<BlockSource, "head">;
  readonly pauses: Pauses;
  readonly pollMs: number;
  /** Called with each response, even if nothing waits for it. */
  readonly onHead: (head: BlockReference | undefined) => void;
}

interface Waiting {
  readonly answered: () => void;
  readonly failed: (error: unknown) => void;
}

/** Polls the gateway's newest block continuously, also while blocks are fetched. */
export class HeadWatch {
  readonly #deps: HeadWatchDeps;
  #waiting = new Set<Waiting>();
  #isStopped = false;
  #current: BlockReference | undefined;
  #pause: Pause | undefined;

  constructor(deps: HeadWatchDeps) {
    this.#deps = deps;
  }

  /** Latest reported block; `undefined` if none or no response has arrived. */
  get current(): BlockReference | undefined {
    return this.#current;
  }

  /**
   * Settles at the next response, which {@link current} then holds, and at {@link stop}.
   *
   * @throws the error that the request ended with
   */
  async next(): Promise<void> {
    await this.nextOr(new Promise<never>(() => undefined));
  }

  /**
   * Like {@link next}, unless `work` settles first: then its result. The reference to `work` is released as
   * soon as it settles, even if no response arrives.
   *
   * @throws the error that the request, or the work, ended with
   */
  nextOr<T>(work: Promise<T>): Promise<T | "head"> {
    if (this.#isStopped) return Promise.resolve("head");
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { answered: () => resolve("head"), failed: reject };
      this.#waiting.add(waiting);
      const end = (): void => void this.#waiting.delete(waiting);
      work.then(
        (result) => {
          end();
          resolve(result);
        },
        (error: unknown) => {
          end();
          reject(error);
        },
      );
    });
  }

  /** Discards the reported block, because its source is no longer trusted. */
  forget(): void {
    this.#current = undefined;
  }

  /** Polls immediately, unless a request is in flight. */
  hurry(): void {
    this.#pause?.end();
  }

  async run(): Promise<void> {
    const { source, pauses, pollMs, onHead } = this.#deps;
    while (!this.#isStopped) {
      try {
        this.#current = await source.head();
        onHead(this.#current);
        for (const { answered } of this.#removeWaiting()) answered();
      } catch (error) {
        for (const { failed } of this.#removeWaiting()) failed(error);
      }
      this.#pause = pauses.begin(pollMs);
      await this.#pause.ended;
    }
  }

  /** Stops polling, and settles all waiting calls. */
  stop(): void {
    this.#isStopped = true;
    for (const { answered } of this.#removeWaiting()) answered();
  }

  #removeWaiting(): Iterable<Waiting> {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    return waiting;
  }
}
