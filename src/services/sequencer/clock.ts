/** Time source of the sequencer; tests pass their own. */
export interface Clock {
  /** Unix milliseconds. */
  nowMs(): number;
}

/**
 * Maximum drift of the wall clock from the monotonic one between two blocks, and maximum lag behind the
 * newest block at startup; milliseconds.
 */
export const MAX_CLOCK_ERROR_MS = 60_000;

/** The system's clock. */
export const SYSTEM_CLOCK: Clock = { nowMs: () => Date.now() };

/**
 * Returns the timestamp of a block in Unix seconds: the clock's, but never before the parent's. Provers and
 * contracts rely on time not running backwards.
 *
 * @param parentTimestamp - `undefined` for block 0
 */
export function blockTimestamp(clock: Clock, parentTimestamp: number | undefined): number {
  const now = Math.floor(clock.nowMs() / 1000);
  return parentTimestamp === undefined ? now : Math.max(now, parentTimestamp);
}

/**
 * Returns the lag of a clock behind an earlier block, if that exceeds the tolerated clock error.
 *
 * @param timestamp - of that block, Unix seconds
 * @returns seconds; `undefined` if the clock is plausible
 */
export function secondsBehind(clock: Clock, timestamp: number): number | undefined {
  const behindMs = timestamp * 1000 - clock.nowMs();
  return behindMs > MAX_CLOCK_ERROR_MS ? Math.ceil(behindMs / 1000) : undefined;
}
