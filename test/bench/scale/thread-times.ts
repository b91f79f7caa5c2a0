import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of a tick of the kernel's clock. */
const TICK_MS = 10;

/**
 * Processor time of each thread of a process so far, in milliseconds, by kind: `query-0` counts as
 * `query`.
 */
export function threadTimes(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const stat = statOf(`/proc/${pid}/task/${task}/stat`);
    if (stat === undefined) continue;
    const nameEnd = stat.lastIndexOf(")");
    const name = Number(task) === pid ? "main" : stat.slice(stat.indexOf("(") + 1, nameEnd);
    const kind = name.replace(/-\d+$/, "");
    // proc(5): user and system time are fields 14 and 15; the third field is the first after the
    // name.
    const fields = stat.slice(nameEnd + 2).split(" ");
    const ms = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    times.set(kind, (times.get(kind) ?? 0) + ms);
  }
  return times;
}

/** Contents of a thread's `stat` file; `undefined` if the thread has ended. */
function statOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
