import { expect, test } from "bun:test";
import { errorLine, sizeNotes } from "#app/cli/class/class-report.ts";

const compiled = {
  kind: "compiled",
  classHash: "0x1",
  poseidonHash: "0x2",
  blakeHash: "0x3",
  casm: "{}",
} as const;

test("notes a class above Starknet's limits from one felt on", () => {
  expect(sizeNotes({ ...compiled, sierraSize: 81_920, bytecodeSize: 81_920 })).toEqual([]);
  expect(sizeNotes({ ...compiled, sierraSize: 81_921, bytecodeSize: 81_922 })).toEqual([
    "note: the Sierra program has 81921 felts; Starknet accepts at most 81920",
    "note: the bytecode has 81922 felts; Starknet accepts at most 81920",
  ]);
});

test("escapes text of a file in an error line", () => {
  expect(errorLine("a\nb", "libfunc \u001b[2J")).toBe("error: a\\u{a}b: libfunc \\u{1b}[2J");
});
