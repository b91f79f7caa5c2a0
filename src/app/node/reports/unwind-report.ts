import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { UnwindProgress } from "#io/storage/index.ts";

/** How often progress is told. */
const EVERY_MS = 5_000;

/** Tells the log how far an unwinding is; nothing of one that is over soon. */
export function unwindReport(
  log: Pick<Logger, "info">,
  timer: Pick<Timer, "nowMs">,
): (progress: UnwindProgress) => void {
  let nextMs = timer.nowMs() + EVERY_MS;
  return ({ phase, done, total }) => {
    const nowMs = timer.nowMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + EVERY_MS;
    log.info(phase === "blocks" ? "taking blocks back" : "building tries again", { done, total });
  };
}
