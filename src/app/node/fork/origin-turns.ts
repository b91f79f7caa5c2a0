import { type Client, FairQueue } from "#api/rpc/index.ts";
import { OriginError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import {
  type FetchedValue,
  type OriginQuery,
  originQueryText,
  type OriginSource,
} from "#io/origin/index.ts";

/** Cost of a fetch: all count alike. */
const ONE = 1;

interface Fetch extends PromiseWithResolvers<void> {
  readonly queries: readonly OriginQuery[];
  /** Whether its deadline is over. */
  isLate: boolean;
}

/** Dependencies of {@link OriginTurns}. */
export interface OriginTurnsDeps {
  readonly source: OriginSource;
  readonly timer: Timer;
  /** Maximum number of fetches at a time. */
  readonly maxFetches: number;
}

/** Fetches values for clients, a bounded number at a time: clients take turns. */
export class OriginTurns {
  readonly #deps: OriginTurnsDeps;
  readonly #waiting = new FairQueue<Fetch>(() => ONE);
  #running = 0;

  constructor(deps: OriginTurnsDeps) {
    this.#deps = deps;
  }

  /**
   * Fetches values. A fetch whose deadline is over no longer counts, even if the origin has not responded.
   *
   * @param endsAtMs - deadline of the wait for a turn and for the values, in milliseconds of the timer
   * @throws {OriginError} when the origin does not return one of the values in time
   */
  async fetch(
    queries: readonly OriginQuery[],
    client: Client,
    endsAtMs: number,
  ): Promise<readonly FetchedValue[]> {
    const { source, timer } = this.#deps;
    const fetch: Fetch = { queries, isLate: false, ...Promise.withResolvers<void>() };
    const late = Promise.withResolvers<never>();
    const cancel = timer.after(Math.max(0, endsAtMs - timer.nowMs()), () => {
      fetch.isLate = true;
      late.reject(lateError(queries));
    });
    try {
      await Promise.race([this.#turn(fetch, client), late.promise]);
      try {
        const values = Promise.all(
          queries.map(async (query) => ({ query, value: await source.answer(query) })),
        );
        return await Promise.race([values, late.promise]);
      } finally {
        this.#running--;
        this.#next();
      }
    } finally {
      cancel();
    }
  }

  #turn(fetch: Fetch, client: Client): Promise<void> {
    this.#waiting.push(client, fetch);
    this.#next();
    return fetch.promise;
  }

  #next(): void {
    while (this.#running < this.#deps.maxFetches) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      if (next.item.isLate) continue;
      this.#running++;
      this.#waiting.charge(next.client, ONE);
      next.item.resolve();
    }
  }
}

function lateError(queries: readonly OriginQuery[]): OriginError {
  const names = queries.map(originQueryText).join(", ");
  const message = `the request needs more values of the fork's origin than arrived in its time; the last ones: ${names}`;
  return new OriginError("ORIGIN_UNAVAILABLE", message, true);
}
