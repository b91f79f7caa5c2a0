import type { OriginChannel } from "./channel.ts";
import { KnownValues } from "./known-values.ts";
import { OriginMissing } from "./missing.ts";
import type { OriginQuery } from "./query.ts";
import type { OriginSource } from "./source.ts";

/**
 * Channel over fetched values of an origin, for work on a thread that does not wait: `run`
 * repeats the work until no value is missing.
 */
export class FetchedValues implements OriginChannel {
  readonly #source: OriginSource;
  /** Forgets nothing: the work reads all of them again each time. */
  readonly #known = new KnownValues({
    maxBytes: Number.MAX_SAFE_INTEGER,
    l1AcceptedMs: Number.MAX_SAFE_INTEGER,
    nowMs: () => 0,
  });

  constructor(source: OriginSource) {
    this.#source = source;
  }

  /** @throws {OriginMissing} when the value is not fetched yet */
  ask(query: OriginQuery, companions: readonly OriginQuery[] = []): Uint8Array | null {
    return this.#known.ask(query, companions);
  }

  /** @throws {OriginMissing} when some of the values are not fetched yet */
  require(queries: readonly OriginQuery[]): void {
    this.#known.require(queries);
  }

  /** Fetches values, several at a time. @throws {OriginError} when the origin does not return one of them */
  async fetch(queries: readonly OriginQuery[]): Promise<void> {
    const missing = queries.filter((query) => !this.#known.has(query));
    const fetched = await Promise.all(
      missing.map(async (query) => ({ query, value: await this.#source.answer(query) })),
    );
    this.#known.give(fetched);
  }

  /**
   * Runs work, and repeats it each time after the values that it lacks.
   *
   * @param work - has no effect if it throws
   * @throws errors of `work`; {@link OriginError} when the origin does not return a value
   */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof OriginMissing)) throw error;
        await this.fetch(error.queries);
      }
    }
  }
}
