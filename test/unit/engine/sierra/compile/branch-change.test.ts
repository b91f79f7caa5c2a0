import { describe, expect, test } from "bun:test";
import { apCell, deref, fpCell } from "#engine/sierra/casm/operand.ts";
import { branchChange } from "#engine/sierra/compile/branch-change.ts";
import type { ReferenceValue } from "#engine/sierra/compile/reference-value.ts";
import type { OutputReference } from "#engine/sierra/libfunc/signature.ts";

const ARGUMENT: ReferenceValue = {
  cells: [deref(fpCell(-3))],
  type: 4,
  stackIndex: 1,
  introduction: { source: 8, destination: 9, output: 0 },
};

/** Branch with two new cells and the argument as outputs, on a stack of three. */
function changed(apChange: "new_vars_only" | "other") {
  const references: OutputReference[] = [
    { kind: "new_temp_var", index: 1 },
    { kind: "same_as_param", param: 0 },
    { kind: "new_temp_var", index: 0 },
  ];
  const variables = references.map((reference) => ({ type: 4, reference }));
  const cells = [[deref(apCell(-1))], ARGUMENT.cells, [deref(apCell(-2))]];
  const ap = { cells: 2, tracking: "keep" } as const;
  const branch = { signature: { variables, apChange }, cells, ap, gas: new Map() };
  return branchChange(branch, [ARGUMENT], 3);
}

describe("branchChange: stack indices of outputs", () => {
  const indices = (apChange: "new_vars_only" | "other") =>
    changed(apChange).outputs.map(({ stackIndex }) => stackIndex);

  test("continue the existing stack if ap moves by new variables only", () => {
    expect(indices("new_vars_only")).toEqual([4, 1, 3]);
    expect(changed("new_vars_only")).toMatchObject({ clearsStack: false, stackSize: 5 });
  });

  test("start a new stack otherwise", () => {
    expect(indices("other")).toEqual([1, undefined, 0]);
    expect(changed("other")).toMatchObject({ clearsStack: true, stackSize: 2 });
  });
});

test("branchChange keeps the introduction of an argument and drops those of new outputs", () => {
  const places = changed("other").outputs.map(({ introduction }) => introduction);
  expect(places).toEqual([undefined, ARGUMENT.introduction, undefined]);
});
