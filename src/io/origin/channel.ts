import type { OriginQuery } from "./query.ts";

/** Access to values of a fork's origin for a thread that waits for each value. */
export interface OriginChannel {
  /**
   * Returns the value of a query in its encoding, `null` when it is absent at the origin. The calling thread
   * waits.
   *
   * @param companions - values that are likely to be needed next: if the value must be fetched, they are
   *   fetched with it
   * @throws {OriginError} when the value is unknown, or the deadline has passed
   */
  ask(query: OriginQuery, companions?: readonly OriginQuery[]): Uint8Array | null;
  /**
   * Announces values that the caller is about to ask for, so that they are fetched together.
   *
   * @throws {OriginError} when they have to be fetched before the caller can continue
   */
  require(queries: readonly OriginQuery[]): void;
}
