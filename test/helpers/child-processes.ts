import { readdirSync, readFileSync } from "node:fs";

/** Ids of the running children of a process; those of a node are its compilers. */
export function childrenOf(pid: number): readonly number[] {
  const parent = new RegExp(`^PPid:\\s+${pid}$`, "m");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parent.test(statusOf(name)))
    .map(Number);
}

/** Names of the threads of a process. */
export function threadsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).map((id) => readFileSync(`${folder}/${id}/comm`, "utf8").trim());
}

/** Contents of a process's `status` file; empty once it has exited. */
function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

/** Processor time of a process so far, in milliseconds, by Linux's account. */
export function processorTimeMs(pid: number): number {
  // Fields after the name, which may contain anything: the state, then numbers; user and system
  // time in 1/100 s.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
