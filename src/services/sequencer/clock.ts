/** Time as the sequencer sees it; tests give their own. */
export interface Clock {
  /** Unix milliseconds. */
  nowMs(): number;
}

/**
 * Most that the wall clock may move against the monotonic one between two blocks, and may be behind the
 * newest block at the start; milliseconds.
 */
export const MAX_CLOCK_ERROR_MS = 60_000;

/** The system's clock. */
export const SYSTEM_CLOCK: Clock = { nowMs: () => Date.now() };

/**
 * Timestamp of a block in Unix seconds: the clock's, but never before the parent's, whatever the
 * clock does. Provers and contracts rely on time not running backwards.
 *
 * @param parentTimestamp - `undefined` for block 0
 */
export function blockTimestamp(clock: Clock, parentTimestamp: number | undefined): number {
  const now = Math.floor(clock.nowMs() / 1000);
  return parentTimestamp === undefined ? now : Math.max(now, parentTimestamp);
}

/**
 * How far a clock is behind a block that was made before, where that is more than a clock may err.
 *
 * @param timestamp - of that block, Unix seconds
 * @returns seconds; `undefined`: the clock can be right
 */
export function secondsBehind(clock: Clock, timestamp: number): number | undefined {
  const behindMs = timestamp * 1000 - clock.nowMs();
  return behindMs > MAX_CLOCK_ERROR_MS ? Math.ceil(behindMs / 1000) : undefined;
}
