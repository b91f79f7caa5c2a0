/** Smallest limit of an ordinary response in bytes: nearly all classes and blocks are shorter. */
const MIN_ORDINARY_BYTES = 4 << 20;

/** Maximum size of the response to a short call of a batch in bytes: a proof takes about 64 KiB. */
const SMALL_BYTES = 256 << 10;

/** Call whose response needs room. */
interface RoomCall {
  readonly call: { readonly isLarge: boolean };
  readonly isHuge: boolean;
}

/**
 * Room for the responses in flight. Ordinary ones share `maxBytes`, so that a hostile URL cannot fill the memory
 * with as many long responses as requests are in flight. A call with a longer response is sent again, while no
 * other such call is in flight.
 */
export class AnswerRoom {
  readonly #maxBytes: number;
  readonly #ordinaryBytes: number;
  #isHugeInFlight = false;

  /**
   * @param maxBytes - maximum size of one response in bytes
   * @param concurrency - maximum requests in flight
   */
  constructor(maxBytes: number, concurrency: number) {
    this.#maxBytes = maxBytes;
    const share = Math.floor(maxBytes / concurrency);
    this.#ordinaryBytes = Math.min(maxBytes, Math.max(MIN_ORDINARY_BYTES, share));
  }

  /** Whether a call may be sent now. */
  fits({ isHuge }: RoomCall): boolean {
    return !isHuge || !this.#isHugeInFlight;
  }

  /** Takes room for the response to calls of one request. @returns the limit in bytes */
  take(batch: readonly RoomCall[]): number {
    if (batch.some(({ isHuge }) => isHuge)) {
      this.#isHugeInFlight = true;
      return this.#maxBytes;
    }
    const isLarge = batch.some(({ call }) => call.isLarge);
    const bytes = isLarge ? this.#ordinaryBytes : batch.length * SMALL_BYTES;
    return Math.min(bytes, this.#ordinaryBytes);
  }

  /** Returns the room of a request that ended. */
  free(batch: readonly RoomCall[]): void {
    if (batch.some(({ isHuge }) => isHuge)) this.#isHugeInFlight = false;
  }

  /** Whether a call whose response was too long may be sent again with more room. */
  hasMore({ call, isHuge }: RoomCall): boolean {
    return call.isLarge && !isHuge && this.#ordinaryBytes < this.#maxBytes;
  }
}
