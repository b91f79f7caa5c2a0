import type { OriginQuery } from "./query.ts";

/** Values of the origin, for the thread that reads it. */
export interface OriginSource {
  /**
   * Returns the value of a query in its encoding; `null` if the origin has no such value.
   *
   * @throws {OriginError} when the value is unknown
   */
  answer(query: OriginQuery): Promise<Uint8Array | null>;
}

/** Values of the origin, for a thread that waits for them. */
export interface OriginChannel {
  /**
   * As {@link OriginSource.answer}; the calling thread waits.
   *
   * @throws {OriginError} when the value is unknown, or the deadline has passed
   */
  ask(query: OriginQuery): Uint8Array | null;
}
