import { appendFileSync, readFileSync } from "node:fs";

/** Environment variable that names the file of {@link FileCost} lines. */
export const COSTS_VARIABLE = "TEST_COSTS";

/** Processor time of a process. */
interface ProcessorTime {
  /** Of the process, in milliseconds. */
  readonly ownMs: number;
  /** Of the descendants that it has waited for, in milliseconds. */
  readonly childrenMs: number;
}

/** One line of the file of costs: processor time of a test file. */
export interface FileCost extends ProcessorTime {
  /** Absolute path of the test file. */
  readonly path: string;
}

/** Processor time of this process so far, by Linux's account; 0 on systems without `/proc`. */
function processorTime(): ProcessorTime {
  try {
    // Fields after the name, which may contain anything: the state, then numbers in 1/100 s.
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const sumMs = (first: number): number =>
      10 * (Number(fields[first]) + Number(fields[first + 1]));
    return { ownMs: sumMs(11), childrenMs: sumMs(13) };
  } catch {
    return { ownMs: 0, childrenMs: 0 };
  }
}

/**
 * Measures test files of this process, one after another, beginning now.
 *
 * @param target - file of {@link FileCost} lines; other processes append to it too
 * @param currentFile - absolute path of the file that is ending
 * @returns the function to call at the end of each file
 */
export function noteCosts(target: string, currentFile: () => string): () => void {
  let last = processorTime();
  return () => {
    const now = processorTime();
    const cost: FileCost = {
      path: currentFile(),
      ownMs: now.ownMs - last.ownMs,
      childrenMs: now.childrenMs - last.childrenMs,
    };
    last = now;
    appendFileSync(target, `${JSON.stringify(cost)}\n`);
  };
}
