/** Most bytes that are read of a connection that ends, and go nowhere: more than a body may have. */
const MAX_IGNORED_BYTES = 32 << 20;

/** The end of a connection: since when, and what the client still sends. */
export class Ending {
  #sinceMs = 0;
  #heardMs = 0;
  #ignoredBytes = 0;

  /** It ends from now on; said again, its time begins anew. */
  begin(nowMs: number): void {
    this.#sinceMs = nowMs;
    this.#heardMs = nowMs;
  }

  /** Bytes came that nobody looks at. */
  ignore(bytes: number, nowMs: number): void {
    this.#heardMs = nowMs;
    this.#ignoredBytes += bytes;
  }

  /** Whether more came than is read in order to let the client read. */
  get isTooMuch(): boolean {
    return this.#ignoredBytes > MAX_IGNORED_BYTES;
  }

  elapsedMs(nowMs: number): number {
    return nowMs - this.#sinceMs;
  }

  /** How long the client has sent nothing. */
  silentMs(nowMs: number): number {
    return nowMs - this.#heardMs;
  }
}
