import { readFile } from "node:fs/promises";

/** Memory of a process that is in RAM, in bytes; `undefined` when there is no such process (any more). */
export async function residentBytes(pid: number): Promise<number | undefined> {
  return process.platform === "linux" ? ofProcfs(pid) : ofPs(pid);
}

/** `VmRSS` of `status`: unlike `statm` it does not count in pages, whose size differs by machine. */
async function ofProcfs(pid: number): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return kibibytes(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  } catch {
    return undefined;
  }
}

async function ofPs(pid: number): Promise<number | undefined> {
  const ps = Bun.spawn(["ps", "-o", "rss=", "-p", String(pid)], {
    stdout: "pipe",
    stderr: "ignore",
  });
  return kibibytes((await new Response(ps.stdout).text()).trim());
}

function kibibytes(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text) * 1024;
}
