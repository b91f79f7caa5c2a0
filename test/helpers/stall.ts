import { availableParallelism, loadavg } from "node:os";

/**
 * Deadline for an operation that takes a fraction of it on a quiet machine, and whose breach is a
 * fault: a stall. On a machine with more load than processors it grows with the load, so that load
 * never decides.
 *
 * Call it before the measured work, so that this does not count as load.
 *
 * @param quietMs - deadline on a quiet machine, far above the usual time
 */
export function stallBoundMs(quietMs: number): number {
  const [lastMinute = 0] = loadavg();
  return quietMs * Math.max(1, lastMinute / availableParallelism());
}
