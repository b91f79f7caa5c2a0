import { HELD_CHECK_MS, HeldBytes } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { NodeOptions } from "../setup/node-options.ts";

/** All bytes that are held for clients, unless single responses may be large. */
const BUDGET_BYTES: number = 384 << 20;

/** The budget holds at least so many responses of the greatest size. */
const LARGE_RESPONSES = 8;

/**
 * The one budget of a process for what its clients make it hold, whichever port they use.
 *
 * @param disposables - gets what ends its checks
 */
export function openHeldBudget(
  {
    timeoutMs,
    maxResponseSizeBytes,
  }: Pick<NodeOptions["rpc"], "timeoutMs" | "maxResponseSizeBytes">,
  timer: Timer,
  disposables: AsyncDisposableStack,
): HeldBytes {
  const maxBytes = Math.max(BUDGET_BYTES, LARGE_RESPONSES * maxResponseSizeBytes);
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
