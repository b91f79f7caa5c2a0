import type { OriginQuery } from "./query.ts";

/** Values of the origin, for a thread that waits for them. */
export interface OriginChannel {
  /**
   * Returns the value of a query in its encoding, `null` when it is absent at the origin. The calling thread
   * waits.
   *
   * @throws {OriginError} when the value is unknown, or the deadline has passed
   */
  ask(query: OriginQuery): Uint8Array | null;
}
