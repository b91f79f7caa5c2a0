import { readFile } from "node:fs/promises";

/** Memory and processor time of a process. */
export interface ProcessUse {
  readonly residentBytes: number;
  /** Processor time of all its threads since it started, `user` + `sys`. */
  readonly cpuMs: number;
}

/** Unit of times in `/proc/PID/stat`: 1 / USER_HZ, which is 100 on all Linux platforms. */
const MS_PER_TICK = 10;

/** Returns the resource use of a process; `undefined` if it does not exist or has ended. */
export async function processUse(pid: number): Promise<ProcessUse | undefined> {
  return process.platform === "linux" ? ofProcfs(pid) : ofPs(pid);
}

/** Reads `VmRSS` of `status`: unlike `statm`, it does not depend on the page size. */
async function ofProcfs(pid: number): Promise<ProcessUse | undefined> {
  try {
    const [status, stat] = await Promise.all(
      ["status", "stat"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8")),
    );
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? "")?.[1];
    // The program name, in parentheses, may contain any character.
    const [, user, system] = /\) [A-Za-z](?: -?\d+){10} (\d+) (\d+) [^)]*$/.exec(stat ?? "") ?? [];
    if (kibibytes === undefined || user === undefined || system === undefined) return undefined;
    return {
      residentBytes: Number(kibibytes) * 1024,
      cpuMs: (Number(user) + Number(system)) * MS_PER_TICK,
    };
  } catch {
    return undefined;
  }
}

async function ofPs(pid: number): Promise<ProcessUse | undefined> {
  const ps = Bun.spawn(["ps", "-o", "rss=,time=", "-p", String(pid)], {
    stdout: "pipe",
    stderr: "ignore",
  });
  return useOfPs(await new Response(ps.stdout).text());
}

/**
 * Parses the output of `ps -o rss=,time=`: kibibytes, then `[[hours:]minutes:]seconds[.hundredths]`.
 *
 * @returns `undefined` for an empty line or another format
 */
export function useOfPs(line: string): ProcessUse | undefined {
  const [, kibibytes, time = ""] = /^\s*(\d+)\s+(\d+(?::\d+){0,2}(?:\.\d+)?)\s*$/.exec(line) ?? [];
  if (kibibytes === undefined) return undefined;
  const seconds = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return { residentBytes: Number(kibibytes) * 1024, cpuMs: Math.round(seconds * 1000) };
}
