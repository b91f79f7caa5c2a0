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

describe("every launcher sets itself up", () => {
  test("there are launchers", () => {
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

    test(`${launcher} installs what is missing before it hands over, and needs no bun on the PATH`, () => {
      const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
      expect(lines[0]).toBe("set -eu");
      const setup = lines.indexOf("setup");
      expect(lines[setup - 1]).toBe('. "$ROOT/scripts/setup.sh"');
      expect(lines.at(-1)).toMatch(/^exec "\$BUN" .*"\$@"$/);
      expect(lines.filter((line) => /(^|\s)bun\s/.test(line))).toEqual([]);
    });

    test(`${launcher} can be executed, also through a link`, () => {
      expect(statSync(join(ROOT, launcher)).mode & 0o111).toBe(0o111);
      expect(text).toContain('SELF=$(readlink -f "$0")');
    });
  }
});
