import { MAX_CONTROL_FRAMES } from "../limits.ts";

/** Pings and pongs of a client: how many there are, and the ping that is to be answered. */
export class ControlFrames {
  #count = 0;
  #pinged: Uint8Array | undefined;

  /** Whether there were too many since the last {@link restart}. */
  get isFlood(): boolean {
    return this.#count > MAX_CONTROL_FRAMES;
  }

  /** A ping with this payload is read. */
  ping(payload: Uint8Array): void {
    this.#count++;
    this.#pinged = payload;
  }

  pong(): void {
    this.#count++;
  }

  /** Counts from zero. */
  restart(): void {
    this.#count = 0;
  }

  /** The payload of the newest ping, the only one that needs an answer (RFC 6455, section 5.5.3). */
  takePing(): Uint8Array | undefined {
    const payload = this.#pinged;
    this.#pinged = undefined;
    return payload;
  }
}
