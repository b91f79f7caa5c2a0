import { availableParallelism, loadavg } from "node:os";

/**
 * A bound for what takes a fraction of it on a quiet machine, and whose breach is a fault: a stall. A
 * machine with more to do than it has processors gets as much more time, so that it never decides.
 *
 * Asked before the work that is measured: the work itself is no excuse.
 *
 * @param quietMs - the bound on a quiet machine, far above what is measured there
 */
export function stallBoundMs(quietMs: number): number {
  const [lastMinute = 0] = loadavg();
  return quietMs * Math.max(1, lastMinute / availableParallelism());
}
