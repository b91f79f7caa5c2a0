import { MAX_CONTROL_FRAMES } from "../limits.ts";

/** Counts the pings and pongs of a client, and keeps the ping to answer. */
export class ControlFrames {
  #count = 0;
  #pinged: Uint8Array | undefined;

  /** Whether there were too many since the last {@link restart}. */
  get isFlood(): boolean {
    return this.#count > MAX_CONTROL_FRAMES;
  }

  ping(payload: Uint8Array): void {
    this.#count++;
    this.#pinged = payload;
  }

  pong(): void {
    this.#count++;
  }

  restart(): void {
    this.#count = 0;
  }

  /** Takes the payload of the newest ping, the only one that needs an answer (RFC 6455, section 5.5.3). */
  takePing(): Uint8Array | undefined {
    const payload = this.#pinged;
    this.#pinged = undefined;
    return payload;
  }
}
