import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WIRES } from "../../scripts/mutate-lib/wires/index.ts";

const ROOT = join(import.meta.dir, "../..");

describe("wires that are broken to test the tests", () => {
  test("are ninety, no two of them the same", () => {
    expect(WIRES).toHaveLength(90);
    expect(new Set(WIRES.map(({ fault }) => fault)).size).toBe(90);
    expect(
      new Set(WIRES.map(({ file, text, broken }) => [file, text, broken].join(" "))).size,
    ).toBe(90);
  });

  test.each(WIRES.map((wire) => [`${wire.file}: ${wire.fault}`, wire] as const))(
    "%s",
    (_, { file, text, broken, tests }) => {
      const pieces = readFileSync(join(ROOT, file), "utf8").split(text);
      expect(pieces).toHaveLength(2);
      expect(broken).not.toBe(text);
      expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
      expect(tests).not.toBeEmpty();
    },
  );
});
