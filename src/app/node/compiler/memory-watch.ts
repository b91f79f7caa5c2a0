import type { Timer } from "#base/primitives/index.ts";

/** Time between two looks at a process. */
const LOOK_MS = 50;

/** What a watch works with. */
export interface MemoryWatchDeps {
  /** Memory of the process in bytes; `undefined` when it is gone. */
  readonly residentBytes: () => Promise<number | undefined>;
  readonly limitBytes: number;
  /** Called once when the memory is above the limit. */
  readonly onExceeded: () => void;
  readonly timer: Timer;
}

/**
 * Looks at the memory of a process until it is above a limit, or gone.
 *
 * @returns ends the watch
 */
export function watchMemory({
  residentBytes,
  limitBytes,
  onExceeded,
  timer,
}: MemoryWatchDeps): () => void {
  let isOver = false;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    const bytes = await residentBytes();
    if (isOver || bytes === undefined) return;
    if (bytes > limitBytes) onExceeded();
    else cancel = timer.after(LOOK_MS, () => void look());
  };
  cancel = timer.after(LOOK_MS, () => void look());
  return () => {
    isOver = true;
    cancel();
  };
}
