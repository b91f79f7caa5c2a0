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
