import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { GROUPS, ROWS } from "#test/bench/compare/rows.ts";
import { FIGURES } from "../../../scripts/docs-lib/data/benchmark-figures.ts";
import { COMPARED } from "../../../scripts/docs-lib/data/benchmarks.ts";
import { boundOf } from "../../../scripts/docs-lib/pages/benchmarks.ts";

test("every figure names an existing command", () => {
  const exists = (command: string): boolean => {
    const [script, name = ""] = command.split(" ");
    if (script === "bench-compare") return GROUPS.some((group) => group === name);
    const file = join(import.meta.dir, `../../bench/${name}.bench.ts`);
    return script === "bench" && existsSync(file);
  };
  const missing = FIGURES.filter(({ command }) => !exists(command));
  expect(missing.map(({ what }) => what)).toEqual([]);
});

describe("comparison rows", () => {
  test("every group has a table", () => {
    expect(COMPARED.map(({ group }) => group).toSorted()).toEqual(GROUPS.toSorted());
  });

  test("every row names its bound", () => {
    const silent = COMPARED.flatMap(({ group, bounds }) =>
      ROWS[group].filter(({ id }) => boundOf(id, bounds) === ""),
    );
    expect(silent).toEqual([]);
  });

  test("the longest matching prefix determines the bound", () => {
    expect(boundOf("call-fib", { "": "a", "call-": "b", "call-f": "c" })).toBe("c");
    expect(boundOf("read-call", { "": "a", "call-": "b" })).toBe("a");
  });

  test("every bound matches a row", () => {
    const unused = COMPARED.flatMap(({ group, bounds }) =>
      Object.keys(bounds).filter((key) => !ROWS[group].some(({ id }) => id.startsWith(key))),
    );
    expect(unused).toEqual([]);
  });
});
