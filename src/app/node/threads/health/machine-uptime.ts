import { uptime } from "node:os";

/**
 * Milliseconds since some fixed moment, whoever sets the clock. On Linux, to the second, time goes on while
 * the machine is asleep: its waking up is no jump of the wall clock. Elsewhere the system's own figure
 * depends on the wall clock, and the runtime's monotonic clock is taken, which stands still meanwhile.
 */
export function machineUptimeMs(): number {
  return process.platform === "linux" ? uptime() * 1000 : performance.now();
}
