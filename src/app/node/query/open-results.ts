import { type LongResult, tooLongToHold } from "#api/rpc/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import type { QueryAnswer } from "../threads/query-messages.ts";

/** Size of the first part of a long answer. An error within it is answered like the error of any method. */
export const START_BYTES: number = 8 << 20;

/** Size of each further part, about: a thread takes some hundred milliseconds to make one. */
export const REST_BYTES: number = 16 << 20;

/** What a thread answers to a query, beside what belongs to its way. */
export type Taken = Pick<QueryAnswer, "bytes" | "isOpen" | "failed">;

/** The long results of a query thread that are not taken to their end. */
export class OpenResults {
  readonly #maxBytes: number;
  readonly #isStopped: () => boolean;
  readonly #open = new Map<number, LongResult>();

  /**
   * @param maxBytes - longest answer to a client that does not read it in parts
   * @param isStopped - whether the job at hand is to end
   */
  constructor(maxBytes: number, isStopped: () => boolean) {
    this.#maxBytes = maxBytes;
    this.#isStopped = isStopped;
  }

  /** How many there are. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Takes what a query is answered with at first.
   *
   * @param takesRest - whether the client reads the answer in parts
   * @returns with `isOpen`: {@link keep} is to be called, or {@link LongResult.close}
   */
  start(result: LongResult, takesRest: boolean): Taken {
    const mostBytes = takesRest ? Math.min(START_BYTES, this.#maxBytes) : this.#maxBytes + 1;
    try {
      const bytes = result.take(mostBytes, () => false);
      if (result.isOver) return { bytes };
      if (takesRest) return { bytes, isOpen: true };
      result.close();
      return { bytes: tooLongToHold(this.#maxBytes) };
    } catch (thrown) {
      return { bytes: result.failure(thrown) };
    }
  }

  /** Keeps what is not taken, under the number of the order that it answers. */
  keep(order: number, result: LongResult): void {
    this.#open.set(order, result);
  }

  /** The next bytes of a kept result. */
  rest(order: number): Taken {
    const result = this.#open.get(order);
    if (result === undefined) return { bytes: NOTHING, failed: "its rest is not kept any more" };
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

  /** Nobody asks for the rest of a result any more. */
  close(order: number): void {
    this.#open.get(order)?.close();
    this.#open.delete(order);
  }
}

const NOTHING = new Uint8Array(0);
