import { describe, expect, test } from "bun:test";
import { printedTable, Results, short } from "#test/bench/compare/results.ts";
import { GROUPS, ROWS } from "#test/bench/compare/rows.ts";

const noted = (): Results => {
  const results = new Results(() => undefined);
  for (const rate of [900, 1_500, 1_200]) results.note("appchain", { "warm-64": rate });
  for (const rate of [150, 120, 100]) results.note("other", { "warm-64": rate });
  results.note("appchain", { first: 100 });
  results.note("other", { first: 3_500 });
  return results;
};

describe("comparison tables", () => {
  test("rank higher rates and shorter times first", () => {
    const table = printedTable(noted().rowsOf("transfers"));
    expect(table).toContain("| 1 200/s (900 to 1 500) | other 120/s (100 to 150) | 10 |");
    expect(table).toContain("| 100 ms | other 3 500 ms | 35 |");
  });

  test("keep the order of rows and omit those without a value", () => {
    const rows = noted().rowsOf("transfers");
    expect(rows.map(({ id }) => id)).toEqual(["first", "warm-64"]);
    expect(noted().rowsOf("calls")).toEqual([]);
  });

  test("show a remark and no ratio for a server without a value", () => {
    const results = new Results(() => undefined);
    results.note("appchain", { "warm-256": 1_000 });
    results.remark("other", "warm-256", "is stopped with 18 000 MiB");
    expect(printedTable(results.rowsOf("transfers"))).toContain(
      "| 1 000/s | other is stopped with 18 000 MiB |  |",
    );
  });

  test.each([
    [0.0301, "0.030"],
    [1.006, "1.01"],
    [52.34, "52.3"],
    [999.4, "999"],
    [74_560.2, "74 560"],
  ])("round %d to %s", (value, text) => expect(short(value)).toBe(text));

  test("have unique row ids", () => {
    const ids = GROUPS.flatMap((group) => ROWS[group].map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
