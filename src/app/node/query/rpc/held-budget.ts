import { HELD_CHECK_MS, HeldBytes } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { TRACE_LIMITS } from "../trace-limits.ts";
import type { NodeOptions } from "../../setup/node-options.ts";

/**
 * Maximum bytes held for clients of a node with two query threads, unless the response limit requires more.
 */
const BUDGET_BYTES: number = 192 << 20;

/** Additional budget for each further query thread, for its traces. */
const THREAD_BYTES: number = TRACE_LIMITS.maxHeldBytes;

/** Minimum budget, in responses of the maximum size. */
const LARGE_RESPONSES = 6;

/**
 * Creates the process-wide budget of bytes held for clients, shared by all ports.
 *
 * @param queryThreads - number of query threads
 * @param disposables - stops its periodic checks
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
