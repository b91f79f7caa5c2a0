import type { Timer } from "#base/primitives/index.ts";
import type { ProcessUse } from "./process-use.ts";

/** Interval between two checks of a process. */
const LOOK_MS = 50;

/** Bounds of a process. */
export interface ProcessLimits {
  readonly residentBytes: number;
  /** Processor time from the beginning of the watch. */
  readonly cpuMs: number;
}

/** Ports of a watch. */
export interface ProcessWatchDeps {
  /** Returns what the process takes; `undefined` once it has ended. */
  readonly use: () => Promise<ProcessUse | undefined>;
  readonly limits: ProcessLimits;
  /** Called once when the process exceeds a bound. */
  readonly onExceeded: (what: "memory" | "time") => void;
  readonly timer: Timer;
}

/**
 * Checks a process until it exceeds a bound or ends.
 *
 * @returns a function that ends the watch
 */
export function watchProcess({ use, limits, onExceeded, timer }: ProcessWatchDeps): () => void {
  let isOver = false;
  let cancel = (): void => undefined;
  let beganAtCpuMs: number | undefined;
  const look = async (): Promise<void> => {
    const now = await use();
    if (isOver || now === undefined) return;
    beganAtCpuMs ??= now.cpuMs;
    if (now.residentBytes > limits.residentBytes) onExceeded("memory");
    else if (now.cpuMs - beganAtCpuMs > limits.cpuMs) onExceeded("time");
    else cancel = timer.after(LOOK_MS, () => void look());
  };
  void look();
  return () => {
    isOver = true;
    cancel();
  };
}
