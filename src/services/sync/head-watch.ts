import type { BlockReference, BlockSource } from "./ports.ts";
import type { Pause, Pauses } from "./pause.ts";

/** What the newest block of the gateway is asked with. */
export interface HeadWatchDeps {
  readonly source: Pick<BlockSource, "head">;
  readonly pauses: Pauses;
  readonly pollMs: number;
  /** Called with each answer, also while nobody waits for one. */
  readonly onHead: (head: BlockReference | undefined) => void;
}

interface Waiting {
  readonly answered: () => void;
  readonly failed: (error: unknown) => void;
}

/** Asks for the gateway's newest block again and again, also while blocks are fetched. */
export class HeadWatch {
  readonly #deps: HeadWatchDeps;
  #waiting = new Set<Waiting>();
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
  async next(): Promise<void> {
    await this.nextOr(new Promise<never>(() => undefined));
  }

  /**
   * As {@link next}, unless the work is done before: then its result. Nothing of that is kept here, however
   * long the next answer takes.
   *
   * @throws what the question, or the work, ended with
   */
  nextOr<T>(work: Promise<T>): Promise<T | "told"> {
    if (this.#isStopped) return Promise.resolve("told");
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { answered: () => resolve("told"), failed: reject };
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
    const { source, pauses, pollMs, onHead } = this.#deps;
    while (!this.#isStopped) {
      try {
        this.#current = await source.head();
        onHead(this.#current);
        for (const { answered } of this.#taken()) answered();
      } catch (error) {
        for (const { failed } of this.#taken()) failed(error);
      }
      this.#pause = pauses.begin(pollMs);
      await this.#pause.ended;
    }
  }

  /** Asks no more; whoever waits goes on. */
  stop(): void {
    this.#isStopped = true;
    for (const { answered } of this.#taken()) answered();
  }

  #taken(): Iterable<Waiting> {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    return waiting;
  }
}
