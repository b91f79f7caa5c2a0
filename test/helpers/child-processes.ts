import { readdirSync, readFileSync } from "node:fs";

/** Ids of the processes that a process has started and that are there; of a node, its compilers. */
export function childrenOf(pid: number): readonly number[] {
  const parent = new RegExp(`^PPid:\\s+${pid}$`, "m");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parent.test(statusOf(name)))
    .map(Number);
}

/** What the system says of a process; nothing once it is gone. */
function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

/** Processor time that a process has taken, in milliseconds, by Linux's account. */
export function processorTimeMs(pid: number): number {
  // After the name, which may hold anything: state, then figures; user and system time in 1/100 s.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
