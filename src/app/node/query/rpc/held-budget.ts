import { HELD_CHECK_MS, HeldBytes } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { TRACE_LIMITS } from "../trace-limits.ts";
import type { NodeOptions } from "../../setup/node-options.ts";

/** All bytes that are held for clients of a node with two query threads, unless single responses may be large. */
const BUDGET_BYTES: number = 192 << 20;

/** Each further thread may make traces of so many bytes. */
const THREAD_BYTES: number = TRACE_LIMITS.maxHeldBytes;

/** The budget holds at least so many responses of the greatest size. */
const LARGE_RESPONSES = 6;

/**
 * The one budget of a process for what its clients make it hold, whichever port they use.
 *
 * @param queryThreads - how many the node has
 * @param disposables - gets what ends its checks
 */
export function openHeldBudget(
  {
    timeoutMs,
    maxResponseSizeBytes,
  }: Pick<NodeOptions["rpc"], "timeoutMs" | "maxResponseSizeBytes">,
  queryThreads: number,
  timer: Timer,
  disposables: AsyncDisposableStack,
): HeldBytes {
  const usualBytes = BUDGET_BYTES + THREAD_BYTES * Math.max(0, queryThreads - 2);
  const maxBytes = Math.max(usualBytes, LARGE_RESPONSES * maxResponseSizeBytes);
  const held = new HeldBytes({ maxBytes, patienceMs: timeoutMs, timer });
  let stop = (): void => undefined;
  const check = (): void => {
    held.check();
    stop = timer.after(HELD_CHECK_MS, check);
  };
  check();
  disposables.defer(() => stop());
  return held;
}
