import { uptime } from "node:os";

/**
 * Returns milliseconds since a fixed moment, independent of the wall clock. On Linux, at a resolution of one
 * second, the clock continues while the machine sleeps, so that waking up is not a jump of the wall clock.
 * Elsewhere the system's uptime depends on the wall clock; the runtime's monotonic clock is used, which
 * pauses during sleep.
 */
export function machineUptimeMs(): number {
  return process.platform === "linux" ? uptime() * 1000 : performance.now();
}
