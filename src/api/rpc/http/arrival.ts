import type { Arriving } from "./connection-state.ts";
import type { IncomingRequest } from "./incoming.ts";
import { RunningClock } from "./running-clock.ts";

/** Upload rate below which a request counts as slow after the grace period. */
const SLOW_BYTES_PER_SECOND = 65_536;

/** Grace period before the upload rate is judged. */
const GRACE_MS = 1_000;

/** Request that is arriving on a connection; empty between requests. */
export class Arrival {
  /** `undefined` until the head is parsed. */
  #request: IncomingRequest | undefined;
  readonly #clock = new RunningClock();
  #hasBegun = false;

  /** Part of the request that arrives now. */
  get kind(): Arriving {
    if (!this.#hasBegun) return "nothing";
    if (this.#request === undefined) return "head";
    return this.#request.isDiscarded ? "rest" : "body";
  }

  get request(): IncomingRequest | undefined {
    return this.#request;
  }

  /** Records the first byte of a request. */
  begin(nowMs: number): void {
    this.#hasBegun = true;
    this.#clock.start(nowMs);
  }

  headRead(request: IncomingRequest): void {
    this.#request = request;
  }

  /** The request is complete, or its remaining bytes are ignored. */
  end(): void {
    this.#request = undefined;
    this.#hasBegun = false;
  }

  /** Pauses or resumes the clock: time counts only while the request is being read. */
  setPaused(isPaused: boolean, nowMs: number): void {
    if (isPaused) this.#clock.stop(nowMs);
    else this.#clock.run(nowMs);
  }

  /** Time since the first byte, without pauses. */
  elapsedMs(nowMs: number): number {
    return this.#clock.elapsedMs(nowMs);
  }

  /** Whether the request arrives too slowly to keep its connection when others need one. */
  isSlow(nowMs: number): boolean {
    const ranMs = Math.max(0, this.elapsedMs(nowMs) - GRACE_MS);
    return (this.#request?.arrivedBytes ?? 0) < (ranMs / 1_000) * SLOW_BYTES_PER_SECOND;
  }
}
