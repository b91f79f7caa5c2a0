/** Clock and timers of the services; tests pass their own. */
export interface Timer {
  /** Milliseconds since a fixed moment; monotonic. */
  nowMs(): number;
  /**
   * Calls `callback` once after `delayMs`. A timer does not keep the process alive.
   *
   * @returns cancels the timer; no effect after it has fired
   */
  after(delayMs: number, callback: () => void): () => void;
}

/** Timer of the operating system. */
export const SYSTEM_TIMER: Timer = {
  nowMs: () => performance.now(),
  after(delayMs, callback) {
    const alarm = setTimeout(callback, delayMs);
    alarm.unref();
    return () => clearTimeout(alarm);
  },
};
