import { type LongResult, tooLongToBuffer } from "#api/rpc/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import type { QueryAnswer } from "../threads/query-messages.ts";

/** Size of the first part of a long response. An error within it is reported like that of any method. */
export const START_BYTES: number = 8 << 20;

/** Approximate size of each further part: a thread takes some hundred milliseconds to make one. */
export const REST_BYTES: number = 16 << 20;

/** Part of a query thread's answer that does not depend on the lane of the query. */
export type PartialAnswer = Pick<QueryAnswer, "bytes" | "isOpen" | "failed">;

/** Long results of a query thread that are not fully consumed. */
export class OpenResults {
  readonly #maxBytes: number;
  readonly #isStopped: () => boolean;
  readonly #open = new Map<number, LongResult>();

  /**
   * @param maxBytes - maximum response size for a client that does not read it in parts
   * @param isStopped - whether the current job has to stop
   */
  constructor(maxBytes: number, isStopped: () => boolean) {
    this.#maxBytes = maxBytes;
    this.#isStopped = isStopped;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Produces the first part of a result.
   *
   * @param takesRest - whether the client reads the response in parts
   * @returns with `isOpen`, the caller has to call {@link keep} or {@link LongResult.close}
   */
  start(result: LongResult, takesRest: boolean): PartialAnswer {
    const mostBytes = takesRest ? Math.min(START_BYTES, this.#maxBytes) : this.#maxBytes + 1;
    try {
      const bytes = result.take(mostBytes, () => false);
      if (result.isOver) return { bytes };
      if (takesRest) return { bytes, isOpen: true };
      result.close();
      return { bytes: tooLongToBuffer(this.#maxBytes) };
    } catch (thrown) {
      return { bytes: result.failure(thrown) };
    }
  }

  /** Keeps an unfinished result under the id of its order. */
  keep(order: number, result: LongResult): void {
    this.#open.set(order, result);
  }

  /** Returns the next bytes of a kept result. */
  rest(order: number): PartialAnswer {
    const result = this.#open.get(order);
    if (result === undefined)
      return { bytes: NOTHING, failed: "the rest of the result is no longer available" };
    try {
      const bytes = result.take(REST_BYTES, this.#isStopped);
      if (!result.isOver) return { bytes, isOpen: true };
      this.#open.delete(order);
      return { bytes };
    } catch (thrown) {
      this.#open.delete(order);
      result.failure(thrown);
      return { bytes: NOTHING, failed: describeError(thrown) };
    }
  }

  /** Discards the rest of a result. */
  close(order: number): void {
    this.#open.get(order)?.close();
    this.#open.delete(order);
  }
}

const NOTHING = new Uint8Array(0);
