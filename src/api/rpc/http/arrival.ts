import type { Arriving } from "./connection-state.ts";
import type { IncomingRequest } from "./incoming.ts";
import { RunningClock } from "./running-clock.ts";

/** An upload of fewer bytes per second is slow, once it has begun. */
const SLOW_BYTES_PER_SECOND = 65_536;

/** How long it may take to begin. */
const GRACE_MS = 1_000;

/** The request of a connection that is arriving, of which nothing is there between requests. */
export class Arrival {
  /** Once its head is read. */
  #request: IncomingRequest | undefined;
  readonly #clock = new RunningClock();
  #hasBegun = false;

  /** What arrives now. */
  get kind(): Arriving {
    if (!this.#hasBegun) return "nothing";
    if (this.#request === undefined) return "head";
    return this.#request.isDiscarded ? "rest" : "body";
  }

  get request(): IncomingRequest | undefined {
    return this.#request;
  }

  /** The first byte of a request is there. */
  begin(nowMs: number): void {
    this.#hasBegun = true;
    this.#clock.start(nowMs);
  }

  headRead(request: IncomingRequest): void {
    this.#request = request;
  }

  /** The request is whole, or nothing more of it is looked at. */
  end(): void {
    this.#request = undefined;
    this.#hasBegun = false;
  }

  /** Its time runs while it is read. */
  setPaused(isPaused: boolean, nowMs: number): void {
    if (isPaused) this.#clock.stop(nowMs);
    else this.#clock.run(nowMs);
  }

  /** How long it has been arriving. */
  elapsedMs(nowMs: number): number {
    return this.#clock.elapsedMs(nowMs);
  }

  /** Whether so little has come of a body that others need not give way to it. */
  isSlow(nowMs: number): boolean {
    const ranMs = Math.max(0, this.elapsedMs(nowMs) - GRACE_MS);
    return (this.#request?.arrivedBytes ?? 0) < (ranMs / 1_000) * SLOW_BYTES_PER_SECOND;
  }
}
