import type { Timer } from "#base/primitives/index.ts";

/** Its alarms keep the process alive: nothing else does while it waits, and Bun would turn in circles. */
export const KEEPING_TIMER: Timer = {
  nowMs: () => performance.now(),
  after(delayMs, callback) {
    const alarm = setTimeout(callback, delayMs);
    return () => clearTimeout(alarm);
  },
};
