import type { BlockReference, BlockSource } from "./ports.ts";
import type { Pause, Pauses } from "./pause.ts";

/** What the newest block of the gateway is asked with. */
export interface HeadWatchDeps {
  readonly source: Pick<BlockSource, "head">;
  readonly pauses: Pauses;
  readonly pollMs: number;
}

/** Asks for the gateway's newest block again and again, also while blocks are fetched. */
export class HeadWatch {
  readonly #deps: HeadWatchDeps;
  #answered = Promise.withResolvers<void>();
  #isStopped = false;
  #current: BlockReference | undefined;
  #pause: Pause | undefined;

  constructor(deps: HeadWatchDeps) {
    this.#deps = deps;
  }

  /** As it was told last; `undefined`: there is none, or none was told yet. */
  get current(): BlockReference | undefined {
    return this.#current;
  }

  /**
   * Settles at the next answer, with it in {@link current}, and at {@link stop}.
   *
   * @throws what the question ended with
   */
  next(): Promise<void> {
    return this.#answered.promise;
  }

  /** Whoever told it is not believed any more. */
  forget(): void {
    this.#current = undefined;
  }

  /** Asks now, unless it is being asked. */
  hurry(): void {
    this.#pause?.end();
  }

  /** Asks until {@link stop}. */
  async run(): Promise<void> {
    const { source, pauses, pollMs } = this.#deps;
    while (!this.#isStopped) {
      let failure: { readonly error: unknown } | undefined;
      try {
        this.#current = await source.head();
      } catch (error) {
        failure = { error };
      }
      const answered = this.#answered;
      this.#answered = Promise.withResolvers();
      if (failure === undefined) answered.resolve();
      else {
        // Nobody may wait for it.
        answered.promise.catch(() => undefined);
        answered.reject(failure.error);
      }
      this.#pause = pauses.begin(pollMs);
      await this.#pause.ended;
    }
  }

  /** Asks no more; whoever waits goes on. */
  stop(): void {
    this.#isStopped = true;
    this.#answered.resolve();
  }
}
