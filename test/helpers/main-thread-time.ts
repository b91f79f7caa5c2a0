import { readFileSync } from "node:fs";

/**
 * Processor time of a process's main thread in milliseconds, by Linux's account. A wait in this
 * time measures the work before a response, whatever the load of the machine.
 */
export function mainThreadMs(pid: number): number {
  const [onCpuNs = "0"] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(onCpuNs) / 1e6;
}
