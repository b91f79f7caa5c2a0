import type { FetchedValue, OriginQuery } from "#io/origin/index.ts";
import type { QueryOrigin } from "./query-origin.ts";

/** Values of a fork's origin that the current query lacks. */
export class OriginNeeds {
  readonly #origin: Pick<QueryOrigin, "begin"> | null;
  #missing: readonly OriginQuery[] = [];

  /** @param origin - `null` if there is no fork */
  constructor(origin: Pick<QueryOrigin, "begin"> | null) {
    this.#origin = origin;
  }

  /** Resets the state for the next query, and takes the values that were fetched for it. */
  begin(fetched: readonly FetchedValue[] = []): void {
    this.#missing = [];
    this.#origin?.begin(fetched);
  }

  /** Values without which the current query has no answer. */
  get missing(): readonly OriginQuery[] {
    return this.#missing;
  }

  /** Records that the current query lacks values. */
  note(queries: readonly OriginQuery[]): void {
    this.#missing = queries;
  }
}
