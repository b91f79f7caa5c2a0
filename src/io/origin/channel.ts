import type { OriginQuery } from "./query.ts";

/** Access to values of a fork's origin for a thread that waits for each value. */
export interface OriginChannel {
  /**
   * Returns the value of a query in its encoding, `null` when it is absent at the origin. The calling thread
   * waits.
   *
   * @throws {OriginError} when the value is unknown, or the deadline has passed
   */
  ask(query: OriginQuery): Uint8Array | null;
  /**
   * Announces values that the caller is about to ask for, so that they are fetched together.
   *
   * @throws {OriginError} when they have to be fetched before the caller can continue
   */
  require(queries: readonly OriginQuery[]): void;
}
