import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { untilTrue } from "#test/helpers/until-true.ts";
import { type TemporaryFolder, temporaryFolder } from "#test/helpers/temporary-folder.ts";

const ROOT = join(import.meta.dir, "../../..");

/** A test that starts a process, writes its id to `pid`, and then runs `end`. */
const testFile = (end: string): string => `
  import { test } from "bun:test";
  import { renameSync, writeFileSync } from "node:fs";
  test("a", async () => {
    const child = Bun.spawn(["sleep", "1000"]);
    writeFileSync("pid.part", String(child.pid));
    renameSync("pid.part", "pid");
    ${end}
  }, 1_000);
`;

/** Runs such a test in a repository with our settings. */
function start(folder: TemporaryFolder, end: string, args: readonly string[]) {
  cpSync(join(ROOT, "bunfig.toml"), folder.file("bunfig.toml"));
  mkdirSync(folder.file("test"));
  cpSync(join(ROOT, "test/preload.ts"), folder.file("test/preload.ts"));
  writeFileSync(folder.file("test/a.test.ts"), testFile(end));
  return Bun.spawn([process.execPath, "test", ...args], {
    cwd: folder.path,
    env: process.env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
}

/** Whether a process is running; a zombie does not count. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function pidIn(folder: TemporaryFolder): Promise<number> {
  await untilTrue(() => existsSync(folder.file("pid")));
  return Number(readFileSync(folder.file("pid"), "utf8"));
}

describe.skipIf(process.platform !== "linux").each([[[]], [["--parallel=2"]]])(
  "a process started by a test, with arguments %p,",
  (args) => {
    test.each([
      ["passes", ""],
      ["fails", 'throw new TypeError("failed");'],
      ["takes too long", "await Bun.sleep(1e6);"],
    ])("is killed with the run if the test %s", async (_, end) => {
      using folder = temporaryFolder();
      const run = start(folder, end, args);
      const pid = await pidIn(folder);
      await run.exited;
      await untilTrue(() => !isRunning(pid));
      expect(isRunning(pid)).toBe(false);
    });

    test("is killed if the run is killed", async () => {
      using folder = temporaryFolder();
      const run = start(folder, "await Bun.sleep(1e6);", args);
      const pid = await pidIn(folder);
      expect(isRunning(pid)).toBe(true);
      run.kill("SIGKILL");
      await untilTrue(() => !isRunning(pid));
      expect(isRunning(pid)).toBe(false);
    });
  },
);
