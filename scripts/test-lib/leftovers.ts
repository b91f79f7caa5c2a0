import { readdirSync, readFileSync } from "node:fs";

/** Environment variable that marks the processes of one run. */
const MARK = "TEST_RUN_ID";

/** Time that the system gets to remove processes that were just killed. */
const GRACE_MS = 3_000;
const POLL_MS = 50;

/** A process that outlived the tests that started it. */
export interface Leftover {
  readonly pid: number;
  readonly command: string;
}

/** Environment of the processes of a run, so that {@link endLeftovers} finds them. */
export function markOf(run: string): Readonly<Record<string, string>> {
  return { [MARK]: run };
}

/**
 * Kills the processes that carry a run's mark, after a grace period.
 *
 * @returns the killed processes; always empty on systems without `/proc`
 */
export async function endLeftovers(run: string, graceMs = GRACE_MS): Promise<readonly Leftover[]> {
  const deadlineMs = performance.now() + graceMs;
  let found = marked(run);
  while (found.length > 0 && performance.now() < deadlineMs) {
    await Bun.sleep(POLL_MS);
    found = marked(run);
  }
  for (const { pid } of found) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process ended in the meantime.
    }
  }
  return found;
}

function marked(run: string): readonly Leftover[] {
  const entry = `${MARK}=${run}`;
  return processIds()
    .filter((pid) => pid !== process.pid && read(pid, "environ").split("\0").includes(entry))
    .map((pid) => ({ pid, command: read(pid, "cmdline").replaceAll("\0", " ").trim() }));
}

function processIds(): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** A file of a process; empty once the process is gone or a zombie. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
