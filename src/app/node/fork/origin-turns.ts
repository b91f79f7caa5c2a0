import { type Client, FairQueue } from "#api/rpc/index.ts";
import type { FetchedValue, OriginQuery, OriginSource } from "#io/origin/index.ts";

/** Cost of a fetch: all count alike. */
const ONE = 1;

interface Fetch extends PromiseWithResolvers<void> {
  readonly queries: readonly OriginQuery[];
}

/** Fetches values for clients, a bounded number at a time: clients take turns. */
export class OriginTurns {
  readonly #source: OriginSource;
  readonly #maxFetches: number;
  readonly #waiting = new FairQueue<Fetch>(() => ONE);
  #running = 0;

  /** @param maxFetches - maximum number of fetches at a time */
  constructor(source: OriginSource, maxFetches: number) {
    this.#source = source;
    this.#maxFetches = maxFetches;
  }

  /** @throws {OriginError} when the origin does not return one of the values */
  async fetch(queries: readonly OriginQuery[], client: Client): Promise<readonly FetchedValue[]> {
    await this.#turn(queries, client);
    try {
      return await Promise.all(
        queries.map(async (query) => ({ query, value: await this.#source.answer(query) })),
      );
    } finally {
      this.#running--;
      this.#next();
    }
  }

  #turn(queries: readonly OriginQuery[], client: Client): Promise<void> {
    const fetch = { queries, ...Promise.withResolvers<void>() };
    this.#waiting.push(client, fetch);
    this.#next();
    return fetch.promise;
  }

  #next(): void {
    if (this.#running >= this.#maxFetches) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#running++;
    this.#waiting.charge(next.client, ONE);
    next.item.resolve();
  }
}
