/** Time as the sequencer sees it; tests give their own. */
export interface Clock {
  /** Unix milliseconds. */
  nowMs(): number;
}

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
