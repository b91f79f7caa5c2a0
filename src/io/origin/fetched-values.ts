import { OriginError } from "#base/errors/index.ts";
import type { OriginChannel } from "./channel.ts";
import { type OriginQuery, originQueryText } from "./query.ts";
import type { OriginSource } from "./source.ts";

/** A value was read that is not fetched yet: fetch it, then repeat the work. */
export class OriginNotFetched extends OriginError {
  readonly query: OriginQuery;

  constructor(query: OriginQuery) {
    const message = `a value of the fork's origin is not fetched yet: ${originQueryText(query)}`;
    super("ORIGIN_NOT_FETCHED", message, true);
    this.query = query;
  }
}

/** Values of an origin for work on a thread that does not wait: the work is repeated until none is missing. */
export class FetchedValues implements OriginChannel {
  readonly #source: OriginSource;
  readonly #values = new Map<string, Uint8Array | null>();

  constructor(source: OriginSource) {
    this.#source = source;
  }

  /** @throws {OriginNotFetched} when the value is not fetched yet */
  ask(query: OriginQuery): Uint8Array | null {
    const value = this.#values.get(originQueryText(query));
    if (value === undefined) throw new OriginNotFetched(query);
    return value;
  }

  /** Fetches values, several at a time. @throws {OriginError} when the origin does not return one of them */
  async fetch(queries: readonly OriginQuery[]): Promise<void> {
    await Promise.all(
      queries.map(async (query) => {
        const key = originQueryText(query);
        if (this.#values.has(key)) return;
        this.#values.set(key, await this.#source.answer(query));
      }),
    );
  }

  /**
   * Runs work, and repeats it after each value that it lacks.
   *
   * @param work - has no effect if it throws
   * @throws errors of `work`; {@link OriginError} when the origin does not return a value
   */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof OriginNotFetched)) throw error;
        await this.fetch([error.query]);
      }
    }
  }
}
