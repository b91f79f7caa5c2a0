import { readdirSync, readlinkSync } from "node:fs";
import type { TemporaryFolder } from "./temporary-folder.ts";

/** Files in a folder that this process has open; empty on systems that do not report them. */
export function openFilesIn(folder: TemporaryFolder): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd")
    .map((fd) => linkOf(`/proc/self/fd/${fd}`))
    .filter((path) => path.startsWith(folder.path));
}

/** Number of sockets of a process; 0 on systems that do not report it, or once it has exited. */
export function openSockets(pid: number): number {
  if (process.platform !== "linux") return 0;
  try {
    const names = readdirSync(`/proc/${pid}/fd`);
    return names.filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith("socket:")).length;
  } catch {
    return 0;
  }
}

/** Target of a link; empty if the file was closed meanwhile, like the one that read the folder. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
