import { describe, expect, test } from "bun:test";
import { printReport } from "../../../scripts/test-lib/report.ts";
import { Summary } from "../../../scripts/test-lib/summary.ts";

describe("Summary", () => {
  test("adds up tests and checks and ends in a one-line verdict", () => {
    const summary = new Summary();
    summary.count({ passed: 3, failed: 1, leftOut: 2, lacking: 1 });
    summary.pass();
    summary.fail(2, "a: left process 7");
    summary.explain("b: (fail) c");
    expect(summary.verdict).toBe("4 passed, 3 failed");
    expect(summary.failures).toEqual(["a: left process 7", "b: (fail) c"]);
    expect([summary.leftOut, summary.lacking]).toEqual([2, 1]);
  });

  test("adds up the cost of each part in order", () => {
    const summary = new Summary();
    summary.spendTime("unit", 2);
    summary.spendCpu("unit", 3);
    summary.spendTime("e2e", 1);
    summary.spendCpu("e2e", 1);
    summary.spendTime("unit", 0.5);
    summary.spendCpu("unit", 1);
    expect(summary.costs).toEqual([
      { part: "unit", seconds: 2.5, cpuSeconds: 4 },
      { part: "e2e", seconds: 1, cpuSeconds: 1 },
    ]);
  });

  test("is printed with processor times, failures, and the verdict last", () => {
    const summary = new Summary();
    summary.spendTime("unit", 2);
    summary.spendCpu("unit", 3.25);
    summary.spendTime("e2e", 1);
    summary.spendCpu("e2e", 1);
    summary.fail(1, "unit:\n(fail) a");
    const lines: string[] = [];
    printReport(summary, [], 4_000, (line) => lines.push(line));
    const text = lines.join("\n");
    expect(text).toMatch(/^unit +2\.0 s +3\.3 s$/m);
    expect(text).toMatch(/^all +4\.0 s +4\.3 s$/m);
    expect(text).toContain("failed:\n\nunit:\n(fail) a");
    expect(text.split("\n").at(-1)).toBe("0 passed, 1 failed");
  });
});
