import { type Clock, MAX_CLOCK_ERROR_MS } from "./clock.ts";
import type { ClockPage } from "./clock-page.ts";

/** What a steady clock works with. */
export interface SteadyClockDeps {
  /** The wall clock, in Unix milliseconds. */
  readonly wallMs: () => number;
  /** Milliseconds since some fixed moment; never runs backwards, whoever sets the clock. */
  readonly monotonicMs: () => number;
  /** Where other threads see the time. */
  readonly page: ClockPage;
  /** The wall clock has moved by so many milliseconds more than time has passed; below 0: less. */
  readonly onJump: (byMs: number) => void;
}

/** A moment by both clocks. */
interface Moment {
  readonly unixMs: number;
  readonly monotonicMs: number;
}

/**
 * The wall clock's time for as long as that runs as the monotonic one does. Once it has moved by more than
 * {@link MAX_CLOCK_ERROR_MS} against it between two looks, time goes on by the monotonic clock alone: a
 * wrong moment of the wall clock would stamp a block, and all blocks behind it.
 */
export class SteadyClock implements Clock {
  readonly #deps: SteadyClockDeps;
  #seen: Moment;
  /** From where time goes on by the monotonic clock; `undefined`: the wall clock is believed. */
  #from: Moment | undefined;

  constructor(deps: SteadyClockDeps) {
    this.#deps = deps;
    this.#seen = { unixMs: deps.wallMs(), monotonicMs: deps.monotonicMs() };
    const { correctionMs } = deps.page;
    const { unixMs, monotonicMs } = this.#seen;
    if (correctionMs !== 0) this.#from = { unixMs: unixMs + correctionMs, monotonicMs };
  }

  /** To be looked at for each block. */
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
