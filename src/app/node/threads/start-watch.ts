import type { Timer } from "#base/primitives/index.ts";

/** Maximum interval between two checks, in milliseconds. */
const LOOK_MS = 1_000;

/** Minimum share of one processor that a loading process uses, even on a machine with a load of hundreds. */
const LEAST_LOAD = 0.03;

/** Clocks of a process, in milliseconds. */
export interface ProcessClocks {
  /** Processor time of all threads. */
  processorMs(): number;
  nowMs(): number;
}

/**
 * Measures progress of a thread that loads: it cannot report any, but its process uses processor time. A
 * process whose disk hangs uses none.
 *
 * @returns a counter that increments when the process has worked since the previous call
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

/** Dependencies of {@link watchStart}. */
export interface StartWatchDeps {
  /** Changes with each sign of progress. */
  readonly progress: () => number;
  /** Maximum silence, in milliseconds. */
  readonly limitMs: number;
  /** Called once, after a silence of `limitMs`. */
  readonly onSilence: () => void;
  readonly timer: Timer;
}

/**
 * Watches a starting thread for silence; the start itself may take any time. Time in which the watching
 * thread was blocked does not count: no report could reach it.
 *
 * @returns a function that ends the watch
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
