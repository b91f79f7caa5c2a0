/** Time and alarms as services see them; tests give their own. */
export interface Timer {
  /** Milliseconds since some fixed moment; never runs backwards. */
  nowMs(): number;
  /**
   * Calls back once after `delayMs`. An alarm does not keep the process alive.
   *
   * @returns takes the alarm back; without effect afterwards
   */
  after(delayMs: number, callback: () => void): () => void;
}

/** The system's. */
export const SYSTEM_TIMER: Timer = {
  nowMs: () => performance.now(),
  after(delayMs, callback) {
    const alarm = setTimeout(callback, delayMs);
    alarm.unref();
    return () => clearTimeout(alarm);
  },
};
