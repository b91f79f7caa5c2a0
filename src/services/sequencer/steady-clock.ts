import { type Clock, MAX_CLOCK_ERROR_MS } from "./clock.ts";
import type { ClockPage } from "./clock-page.ts";

/** Dependencies of a {@link SteadyClock}. */
export interface SteadyClockDeps {
  /** Wall clock in Unix milliseconds. */
  readonly wallMs: () => number;
  /** Milliseconds since a fixed moment; never runs backwards, even when the system clock is set. */
  readonly monotonicMs: () => number;
  /** Publishes the correction to other threads. */
  readonly page: ClockPage;
  /** Called when the wall clock moved by this many milliseconds more than time passed; negative: less. */
  readonly onJump: (byMs: number) => void;
}

interface Moment {
  readonly unixMs: number;
  readonly monotonicMs: number;
}

/**
 * Follows the wall clock as long as it agrees with the monotonic one. Once the wall clock has drifted from it
 * by more than {@link MAX_CLOCK_ERROR_MS} between two readings, time follows the monotonic clock alone.
 * Otherwise a wrong wall clock would stamp a block, and all blocks after it.
 */
export class SteadyClock implements Clock {
  readonly #deps: SteadyClockDeps;
  #seen: Moment;
  /** Moment from which time follows the monotonic clock; `undefined` while the wall clock is trusted. */
  #from: Moment | undefined;

  constructor(deps: SteadyClockDeps) {
    this.#deps = deps;
    this.#seen = { unixMs: deps.wallMs(), monotonicMs: deps.monotonicMs() };
    const { correctionMs } = deps.page;
    const { unixMs, monotonicMs } = this.#seen;
    if (correctionMs !== 0) this.#from = { unixMs: unixMs + correctionMs, monotonicMs };
  }

  /** Returns the time. Must be read for each block. */
  nowMs(): number {
    const { wallMs, monotonicMs, page, onJump } = this.#deps;
    const now: Moment = { unixMs: wallMs(), monotonicMs: monotonicMs() };
    const byMs = now.unixMs - this.#seen.unixMs - (now.monotonicMs - this.#seen.monotonicMs);
    const hasJumped = Math.abs(byMs) > MAX_CLOCK_ERROR_MS;
    if (hasJumped) this.#from ??= this.#seen;
    this.#seen = now;
    if (this.#from === undefined) return now.unixMs;
    const steadyMs = this.#from.unixMs + now.monotonicMs - this.#from.monotonicMs;
    page.correctionMs = steadyMs - now.unixMs;
    if (hasJumped) onJump(byMs);
    return steadyMs;
  }
}
