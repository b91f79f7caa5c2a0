import type { Timer } from "#base/primitives/index.ts";

/** Timer whose alarms keep the process alive. Nothing else does during waits, and Bun would spin. */
export const KEEPING_TIMER: Timer = {
  nowMs: () => performance.now(),
  after(delayMs, callback) {
    const alarm = setTimeout(callback, delayMs);
    return () => clearTimeout(alarm);
  },
};
