import type { Timer } from "#base/primitives/index.ts";
import type { ProcessUse } from "./process-use.ts";

/** Interval between two checks of a process. */
const LOOK_MS = 50;

/** Resource limits of a process. */
export interface ProcessLimits {
  readonly residentBytes: number;
  /** Processor time since the start of the watch. */
  readonly cpuMs: number;
}

/** Ports of a watch. */
export interface ProcessWatchDeps {
  /** Returns the resource use; `undefined` once the process has ended. */
  readonly use: () => Promise<ProcessUse | undefined>;
  readonly limits: ProcessLimits;
  /** Called once when the process exceeds a limit. */
  readonly onExceeded: (what: "memory" | "time") => void;
  readonly timer: Timer;
}

/**
 * Checks a process until it exceeds a limit or ends.
 *
 * @returns a function that stops the watch
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
