import { expect, test } from "bun:test";
import { filesIn, LACKING, outcomeOf } from "../../../scripts/test-lib/outcome.ts";

const END = "\n 3 pass\n 3 skip\n 0 fail\nRan 6 tests across 2 files. [1.00s]\n";

test("tests that are left out for a library or program are told from others, however often they are named", () => {
  const names = `(skip) a > ${LACKING[0]} b\n(skip) a > c\n(skip) ${LACKING[1]} d\n`;
  expect(outcomeOf({ code: 0, output: names + names + END })).toEqual({
    passed: 3,
    failed: 0,
    leftOut: 1,
    lacking: 2,
    failures: [],
  });
});

test("a run that ends before its end has failed", () => {
  const ended = outcomeOf({ code: 0, output: "(pass) a\n" });
  expect(ended.failed).toBe(1);
});

test("a run that ends with a code and no failed test has failed", () => {
  expect(outcomeOf({ code: 7, output: END }).failed).toBe(1);
});

test("a failed test is told with its error, once, and without what was printed of others", () => {
  const output =
    "a.test.ts:\n(pass) a [1.00ms]\nerror: expect(received).toBe(expected)\n\nExpected: 2\n(fail) b [1.00ms]\n" +
    "(fail) c [500.00ms]\n  ^ this test timed out after 500ms.\n\n2 tests failed:\n(fail) b [1.00ms]\n(fail) c [500.00ms]\n";
  const { failures } = outcomeOf({ code: 1, output: output + END });
  expect(failures).toEqual([
    "error: expect(received).toBe(expected)\n\nExpected: 2\n(fail) b [1.00ms]",
    "(fail) c [500.00ms]\n  ^ this test timed out after 500ms.",
  ]);
});

test("a file whose process ended is told", () => {
  const output = "(pass) a\n\nc.test.ts:\n✗ c.test.ts (worker crashed: exit code 3)\n";
  expect(outcomeOf({ code: 1, output }).failures).toEqual([
    "c.test.ts:\n✗ c.test.ts (worker crashed: exit code 3)",
  ]);
});

test("files that printed results are those that were run, each once", () => {
  const output =
    "test/a.test.ts:\n(pass) a\n\ntest/b.test.ts:\n(pass) b of c.test.ts:\n\ntest/a.test.ts:\n";
  expect(filesIn(output + END)).toEqual(new Set(["test/a.test.ts", "test/b.test.ts"]));
});
