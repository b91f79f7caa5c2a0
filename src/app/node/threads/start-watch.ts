import type { Timer } from "#base/primitives/index.ts";

/** Longest interval between two looks, milliseconds. */
const LOOK_MS = 1_000;

/** Part of one processor that a process takes whose threads load, however busy the machine is. */
const LEAST_LOAD = 0.03;

/** The clocks of a process, in milliseconds. */
export interface ProcessClocks {
  /** What all its threads have used of processors. */
  processorMs(): number;
  nowMs(): number;
}

/**
 * Progress of a thread that loads, and cannot report any: the process works. Where the disk hangs that it
 * loads from, or nothing loads, a process that starts does nothing.
 *
 * @returns counts the looks between which the process has worked
 */
export function loadProgress({ processorMs, nowMs }: ProcessClocks): () => number {
  let count = 0;
  let [usedMs, lookedAtMs] = [processorMs(), nowMs()];
  return () => {
    const [used, now] = [processorMs(), nowMs()];
    if (used - usedMs > LEAST_LOAD * (now - lookedAtMs)) count++;
    [usedMs, lookedAtMs] = [used, now];
    return count;
  };
}

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
