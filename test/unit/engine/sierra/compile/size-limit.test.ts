import { describe, expect, test } from "bun:test";
import { compileUngassed } from "#test/helpers/sierra/ungassed-text.ts";

const TYPES = `
  type felt252 = felt252;
  type Box = Box<felt252>;
  type Zero = Const<felt252, 0>;
  type One = Const<felt252, 1>;
`;

const STORES = `${TYPES}
  libfunc store = store_temp<felt252>;
  store([1]) -> ([1]);
  store([1]) -> ([1]);
  return([1]);
  f@0([1]: felt252) -> (felt252);
`;

/** A return, and constants in boxes. */
function constants(...boxes: readonly string[]): string {
  const libfuncs = boxes.map((box, i) => `libfunc box${i} = const_as_box<${box}>;`);
  return `${TYPES}${libfuncs.join("\n")}\nreturn();\nf@0() -> ();`;
}

describe("compileProgram limits the size of", () => {
  const cases: readonly (readonly [name: string, text: string, size: number])[] = [
    ["code", STORES, 3],
    ["constants of one segment", constants("Zero, 0", "One, 0"), 4],
    ["constants of two segments", constants("Zero, 0", "Zero, 1"), 5],
  ];
  for (const [name, text, size] of cases) {
    test(name, () => {
      const { codeSize, constSegments } = compileUngassed(text, size);
      const felts = constSegments.reduce((sum, { values }) => sum + 1 + values.length, codeSize);
      expect(felts).toBe(size);
      expect(() => compileUngassed(text, size - 1)).toThrow(
        expect.objectContaining({ code: "CASM_TOO_LARGE" }),
      );
    });
  }
});

describe("constant segments are numbered in the order of their first use", () => {
  test("and can be continued later", () => {
    const { constSegments } = compileUngassed(constants("Zero, 0", "Zero, 1", "One, 0"));
    expect(constSegments).toEqual([
      { offset: 0, values: [0n, 1n] },
      { offset: 3, values: [0n] },
    ]);
  });

  test("without gaps", () => {
    expect(() => compileUngassed(constants("Zero, 0", "Zero, 1", "Zero, 3"))).toThrow(
      "segment 3 of constants is declared before segment 2",
    );
  });

  test("in ascending order", () => {
    expect(() => compileUngassed(constants("Zero, 0", "Zero, 2", "Zero, 1"))).toThrow(
      "segment 2 of constants is declared before segment 1",
    );
  });

  test("starting from 0", () => {
    expect(() => compileUngassed(constants("Zero, 4294967295"))).toThrow(
      "segment 4294967295 of constants is declared before segment 0",
    );
  });
});
