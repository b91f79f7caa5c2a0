import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WIRES } from "../../scripts/mutate-lib/wires/index.ts";

const ROOT = join(import.meta.dir, "../..");

describe("mutations of wiring", () => {
  test("are all different", () => {
    const faults = WIRES.map(({ fault }) => fault);
    const changes = WIRES.map(({ file, text, broken }) => [file, text, broken].join(" "));
    expect([new Set(faults).size, new Set(changes).size]).toEqual([WIRES.length, WIRES.length]);
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
