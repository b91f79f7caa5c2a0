import { readdirSync, readlinkSync } from "node:fs";
import type { TemporaryFolder } from "./temporary-folder.ts";

/** The files in a folder that this process has open; none where the system does not tell. */
export function openFilesIn(folder: TemporaryFolder): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd")
    .map((fd) => linkOf(`/proc/self/fd/${fd}`))
    .filter((path) => path.startsWith(folder.path));
}

/** How many sockets a process has open; 0 where the system does not tell, or it is gone. */
export function openSockets(pid: number): number {
  if (process.platform !== "linux") return 0;
  try {
    const names = readdirSync(`/proc/${pid}/fd`);
    return names.filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith("socket:")).length;
  } catch {
    return 0;
  }
}

/** Where a link leads; what the folder was read with is closed by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
