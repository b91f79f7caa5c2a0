import { expect, test } from "bun:test";
import { filesIn, LACKING, outcomeOf } from "../../../scripts/test-lib/outcome.ts";

const END = "\n 3 pass\n 3 skip\n 0 fail\nRan 6 tests across 2 files. [1.00s]\n";

test("outcomeOf counts skips for a missing library or program separately, once per test", () => {
  const names = `(skip) a > ${LACKING[0]} b\n(skip) a > c\n(skip) ${LACKING[1]} d\n`;
  expect(outcomeOf({ code: 0, output: names + names + END })).toEqual({
    passed: 3,
    failed: 0,
    leftOut: 1,
    lacking: 2,
    failures: [],
  });
});

test("outcomeOf reports a failure if the output has no summary", () => {
  const ended = outcomeOf({ code: 0, output: "(pass) a\n" });
  expect(ended.failed).toBe(1);
});

test("outcomeOf reports a failure for an exit code without failed tests", () => {
  expect(outcomeOf({ code: 7, output: END }).failed).toBe(1);
});

test("outcomeOf returns each failed test once, with its error and without other output", () => {
  const output =
    "a.test.ts:\n(pass) a [1.00ms]\nerror: expect(received).toBe(expected)\n\nExpected: 2\n(fail) b [1.00ms]\n" +
    "(fail) c [500.00ms]\n  ^ this test timed out after 500ms.\n\n2 tests failed:\n(fail) b [1.00ms]\n(fail) c [500.00ms]\n";
  const { failures } = outcomeOf({ code: 1, output: output + END });
  expect(failures).toEqual([
    "error: expect(received).toBe(expected)\n\nExpected: 2\n(fail) b [1.00ms]",
    "(fail) c [500.00ms]\n  ^ this test timed out after 500ms.",
  ]);
});

test("outcomeOf reports a file whose process crashed", () => {
  const output = "(pass) a\n\nc.test.ts:\n✗ c.test.ts (worker crashed: exit code 3)\n";
  expect(outcomeOf({ code: 1, output }).failures).toEqual([
    "c.test.ts:\n✗ c.test.ts (worker crashed: exit code 3)",
  ]);
});

test("filesIn returns the files that printed results, each once", () => {
  const output =
    "test/a.test.ts:\n(pass) a\n\ntest/b.test.ts:\n(pass) b of c.test.ts:\n\ntest/a.test.ts:\n";
  expect(filesIn(output + END)).toEqual(new Set(["test/a.test.ts", "test/b.test.ts"]));
});
