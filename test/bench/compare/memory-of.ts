import { readFileSync } from "node:fs";

/** Memory of a process in MiB. */
export interface ProcessMemory {
  readonly residentMiB: number;
  /** Resident memory that is not backed by a file. */
  readonly anonymousMiB: number;
}

/** Memory of a process by Linux's account (proc(5), `status`). */
export function memoryOf(pid: number): ProcessMemory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) / 1024;
  return { residentMiB: mib("VmRSS"), anonymousMiB: mib("RssAnon") };
}
