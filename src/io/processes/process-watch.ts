import type { Timer } from "#base/primitives/index.ts";
import type { ProcessUse } from "./process-use.ts";

/** Time between two looks at a process. */
const LOOK_MS = 50;

/** What a process may take. */
export interface ProcessLimits {
  readonly residentBytes: number;
  /** Processor time from the beginning of the watch. */
  readonly cpuMs: number;
}

/** What a watch works with. */
export interface ProcessWatchDeps {
  /** What the process takes; `undefined` when it is gone. */
  readonly use: () => Promise<ProcessUse | undefined>;
  readonly limits: ProcessLimits;
  /** Called once when the process has taken more than it may. */
  readonly onExceeded: (what: "memory" | "time") => void;
  readonly timer: Timer;
}

/**
 * Looks at a process until it takes more than it may, or is gone.
 *
 * @returns ends the watch
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
