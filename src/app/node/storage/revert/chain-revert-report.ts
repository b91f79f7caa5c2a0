import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { RevertProgress } from "#io/storage/index.ts";

/** Interval between progress lines. */
const EVERY_MS = 5_000;

/** Logs the progress of a revert; a short one logs nothing. */
export function chainRevertReport(
  log: Pick<Logger, "info">,
  timer: Pick<Timer, "nowMs">,
): (progress: RevertProgress) => void {
  let nextMs = timer.nowMs() + EVERY_MS;
  return ({ phase, done, total }) => {
    const nowMs = timer.nowMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + EVERY_MS;
    log.info(phase === "blocks" ? "reverting blocks" : "building tries again", { done, total });
  };
}
