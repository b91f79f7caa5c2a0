import type { WsTimes } from "../limits.ts";

/** Schedules pings, and detects clients that do not answer them. */
export class Heartbeat {
  #pingedMs = performance.now();
  /** A ping was sent, and nothing has arrived since. */
  #awaitsPong = false;

  /** Records that something arrived, or that reading resumes after a pause. */
  heard(): void {
    this.#awaitsPong = false;
  }

  /** Reading is paused: silence of the client means nothing. */
  rest(nowMs: number): void {
    this.#pingedMs = nowMs;
  }

  /** Returns the due action: a ping, or the end of a connection whose client did not answer the last one. */
  due(nowMs: number, { pingMs, pongMs }: WsTimes): "ping" | "end" | undefined {
    const sinceMs = nowMs - this.#pingedMs;
    if (this.#awaitsPong && sinceMs > pongMs) return "end";
    if (sinceMs <= pingMs) return undefined;
    this.#pingedMs = nowMs;
    this.#awaitsPong = true;
    return "ping";
  }
}
