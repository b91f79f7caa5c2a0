import type { Timer } from "#base/primitives/index.ts";

/** Longest interval between two looks, milliseconds. */
const LOOK_MS = 1_000;

/** What the start of a thread is watched with. */
export interface StartWatchDeps {
  /** Changes with each sign of progress. */
  readonly progress: () => number;
  /** Longest silence, milliseconds. */
  readonly limitMs: number;
  /** Called once, when the thread has been silent for that long. */
  readonly onSilence: () => void;
  readonly timer: Timer;
}

/**
 * Watches a thread that starts, however long that takes, for silence. Time that the watching thread was
 * held up itself does not count: neither a sign nor the absence of one could reach it then.
 *
 * @returns ends the watch
 */
export function watchStart({ progress, limitMs, onSilence, timer }: StartWatchDeps): () => void {
  const lookMs = Math.min(LOOK_MS, limitMs / 4);
  let seen = progress();
  let silentMs = 0;
  let lookedAtMs = timer.nowMs();
  const look = (): void => {
    const nowMs = timer.nowMs();
    const count = progress();
    silentMs = count === seen ? silentMs + Math.min(nowMs - lookedAtMs, 2 * lookMs) : 0;
    seen = count;
    lookedAtMs = nowMs;
    if (silentMs >= limitMs) onSilence();
    else cancel = timer.after(lookMs, look);
  };
  let cancel = timer.after(lookMs, look);
  return () => cancel();
}
