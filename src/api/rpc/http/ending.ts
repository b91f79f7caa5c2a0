/** Maximum bytes that a closing connection reads and ignores: more than a body may have. */
const MAX_IGNORED_BYTES = 32 << 20;

/** End of a connection: its start, and the bytes that the client still sends. */
export class Ending {
  #sinceMs = 0;
  #heardMs = 0;
  #ignoredBytes = 0;

  /** Starts the end of the connection; another call restarts its clock. */
  begin(nowMs: number): void {
    this.#sinceMs = nowMs;
    this.#heardMs = nowMs;
  }

  ignore(bytes: number, nowMs: number): void {
    this.#heardMs = nowMs;
    this.#ignoredBytes += bytes;
  }

  /** Whether the client sent more than is read to let it receive the last response. */
  get isTooMuch(): boolean {
    return this.#ignoredBytes > MAX_IGNORED_BYTES;
  }

  elapsedMs(nowMs: number): number {
    return nowMs - this.#sinceMs;
  }

  /** Time since the client last sent anything. */
  silentMs(nowMs: number): number {
    return nowMs - this.#heardMs;
  }
}
