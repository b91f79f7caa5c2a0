import { readdirSync, readlinkSync } from "node:fs";
import type { TemporaryFolder } from "./temporary-folder.ts";

/** The files in a folder that this process has open; none where the system does not tell. */
export function openFilesIn(folder: TemporaryFolder): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd")
    .map((fd) => linkOf(`/proc/self/fd/${fd}`))
    .filter((path) => path.startsWith(folder.path));
}

/** Where a link leads; what the folder was read with is closed by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
