import { describe, expect, test } from "bun:test";
import { analyzeSierra, compileSierra } from "#test/helpers/sierra/compile-text.ts";

// Expected code is from the reference compiler's end-to-end cases `libfuncs/qm31`.

const compiled = (text: string): string[] => compileSierra(analyzeSierra(text)).split("\n");

describe("qm31 operations", () => {
  const operation = (name: string, second = "qm31"): string[] =>
    compiled(`
type qm31 = qm31;
type NonZero = NonZero<qm31>;
libfunc operation = qm31_${name};
operation([0], [1]) -> ([2]);
return([2]);
test@0([0]: qm31, [1]: ${second}) -> (qm31);`);

  test("compile to one instruction", () => {
    expect(operation("add")[0]).toBe("{QM31} [ap + 0] = [fp + -4] + [fp + -3], ap++;");
    expect(operation("mul")[0]).toBe("{QM31} [ap + 0] = [fp + -4] * [fp + -3], ap++;");
  });

  test("are reversed for a difference and a quotient", () => {
    expect(operation("sub")[0]).toBe("{QM31} [fp + -4] = [ap + 0] + [fp + -3], ap++;");
    expect(operation("div", "NonZero")[0]).toBe("{QM31} [fp + -4] = [ap + 0] * [fp + -3], ap++;");
  });
});

describe("qm31_const", () => {
  const constant = (...parts: readonly bigint[]): string => `
type qm31 = qm31;
libfunc constant = qm31_const<${parts.join(", ")}>;
libfunc store = store_temp<qm31>;
constant() -> ([0]);
store([0]) -> ([0]);
return([0]);
test@0() -> (qm31);`;

  test("places the parts 36 bits apart, lowest first", () => {
    expect(compiled(constant(1n, 2n, 3n, 4n))[0]).toBe(
      "[ap + 0] = 1298074214647874006581370456899585, ap++;",
    );
  });

  test.each([
    [[1n, 2n, 3n]],
    [[1n, 2n, 3n, 4n, 5n]],
    [[-1n, 2n, 3n, 4n]],
    [[1n, 2n, 3n, 2n ** 31n - 1n]],
  ])("rejects the parts %p", (parts) => {
    expect(() => analyzeSierra(constant(...parts))).toThrow(
      expect.objectContaining({ code: "SIERRA_SPECIALIZATION" }),
    );
  });

  test("accepts the greatest part", () => {
    expect(compiled(constant(0n, 0n, 0n, 2n ** 31n - 2n))).toHaveLength(2);
  });
});
