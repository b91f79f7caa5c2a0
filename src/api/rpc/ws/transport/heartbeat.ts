import type { WsTimes } from "../limits.ts";

/** When a client is to be pinged, and whether it has been silent since. */
export class Heartbeat {
  #pingedMs = performance.now();
  /** A ping was sent, and nothing has come since. */
  #awaitsPong = false;

  /** Something has come, or comes again after a time in which nothing was read. */
  heard(): void {
    this.#awaitsPong = false;
  }

  /** Nothing is read at present: that the client is silent says nothing. */
  rest(nowMs: number): void {
    this.#pingedMs = nowMs;
  }

  /** What is due: a ping, or the end of a connection whose client has not answered the last one. */
  due(nowMs: number, { pingMs, pongMs }: WsTimes): "ping" | "end" | undefined {
    const sinceMs = nowMs - this.#pingedMs;
    if (this.#awaitsPong && sinceMs > pongMs) return "end";
    if (sinceMs <= pingMs) return undefined;
    this.#pingedMs = nowMs;
    this.#awaitsPong = true;
    return "ping";
  }
}
