import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/** Shell programs: files without an extension. */
const LAUNCHERS = ["bin", "scripts"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes("."))
    .map(({ name }) => `${folder}/${name}`),
);

describe("exit codes of the tools", () => {
  const run = (script: string, ...args: readonly string[]) => {
    const path = join(ROOT, "scripts", script);
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, path, ...args], { cwd: ROOT });
    return [exitCode, stderr.toString().trim().split("\n").length];
  };

  test("are 2 for a wrong command line and 1 for a missing file, with one line of output", () => {
    expect(run("scenario.ts")).toEqual([2, 1]);
    expect(run("scenario.ts", "nowhere.json")).toEqual([1, 1]);
    expect(run("contracts.ts", "--nonsense")).toEqual([2, 1]);
    expect(run("contracts.ts", "--bisect", "nowhere.cairo")).toEqual([1, 1]);
    expect(run("contracts.ts", "nowhere")).toEqual([2, 1]);
    expect(run("mutate.ts", "--nonsense")).toEqual([2, 1]);
    expect(run("mutate.ts", "nowhere")).toEqual([1, 1]);
  });
});

describe("launchers", () => {
  test("include the known ones", () => {
    expect(LAUNCHERS).toEqual(
      expect.arrayContaining([
        "bin/appchain",
        "scripts/bench",
        "scripts/contracts",
        "scripts/test",
      ]),
    );
  });

  for (const launcher of LAUNCHERS) {
    const text = readFileSync(join(ROOT, launcher), "utf8");

    test(`${launcher} runs the setup first and needs no bun on the PATH`, () => {
      const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
      expect(lines[0]).toBeOneOf(["set -eu", "set -u"]);
      const setup = lines.indexOf("setup");
      expect(lines[setup - 1]).toBe('. "$ROOT/scripts/setup.sh"');
      // A launcher of one program execs it, so that signals and the exit code are the program's
      // own.
      expect(lines.slice(setup + 1).join("\n")).toMatch(/^exec "\$BUN" .*"\$@"$|"\$BUN" test/m);
      expect(lines.filter((line) => /(^|\s)bun\s/.test(line))).toEqual([]);
    });

    test(`${launcher} is executable, also through a link`, () => {
      expect(statSync(join(ROOT, launcher)).mode & 0o111).toBe(0o111);
      expect(text).toContain('SELF=$(readlink -f "$0")');
    });
  }
});
