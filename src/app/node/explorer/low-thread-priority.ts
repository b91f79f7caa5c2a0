import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Gives the calling thread a lower priority than the node's other threads. Linux only, where priorities belong
 * to threads; best effort.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (Number.isSafeInteger(id) && id > 0) {
      setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
    }
  } catch {
    // The system forbids it, or shows no threads.
  }
}
