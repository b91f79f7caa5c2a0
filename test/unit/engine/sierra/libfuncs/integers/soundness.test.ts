import { describe, expect, test } from "bun:test";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { divRemAlgorithm, safeDivmod } from "#engine/sierra/libfuncs/integers/div-rem.ts";
import { UINT_LIBFUNCS } from "#engine/sierra/libfuncs/integers/uint.ts";
import { U128_LIBFUNCS } from "#engine/sierra/libfuncs/u128/family.ts";
import { felt, type HintWriter, quotientInField } from "#test/helpers/sierra/casm-run.ts";
import { honestHints, root } from "#test/helpers/sierra/honest-hints.ts";
import { IntegerWorld, isAccepted } from "#test/helpers/sierra/integer-world.ts";

const WIDE = 2n ** 128n;
const world = new IntegerWorld();

/** Hint writer that is honest except for one hint. */
const lie =
  (name: string, ...answers: readonly bigint[]): HintWriter =>
  (asked, inputs) =>
    asked === name ? answers : honestHints(asked, inputs);

describe("generated code rejects a solution that only holds modulo the prime:", () => {
  test.each(["u64", "u128"])("a root of %s whose square exceeds the prime", (type) => {
    const libfunc = world.make({ ...UINT_LIBFUNCS, ...U128_LIBFUNCS }, `${type}_sqrt`);
    const large = root(FIELD_PRIME);
    expect(felt(-(large * large)) <= 2n * large).toBe(true);
    expect(isAccepted(() => world.checked(libfunc, [[0n]], lie("SquareRoot", large)))).toBe(false);
  });

  test.each([
    ["u8", 2n ** 8n],
    ["u64", 2n ** 64n],
    ["u128", WIDE],
  ] as const)("a fractional quotient of %s", (type, limit) => {
    const divmod = safeDivmod(type, limit)(world, []);
    const [dividend, divisor] = [5n, 3n];
    for (const remainder of [0n, 1n]) {
      const quotient = quotientInField(dividend - remainder, divisor);
      const run = () =>
        world.checked(divmod, [[dividend], [divisor]], lie("DivMod", quotient, remainder));
      expect(isAccepted(run)).toBe(false);
    }
  });

  test("a split of a felt plus the prime", () => {
    const split = world.make(U128_LIBFUNCS, "u128s_from_felt252");
    const hints: HintWriter = (name) =>
      name === "DivMod" ? [FIELD_PRIME / WIDE, FIELD_PRIME % WIDE] : [0n];
    expect(isAccepted(() => world.checked(split, [[0n]], hints))).toBe(false);
  });

  test("a product whose carry includes the prime", () => {
    const verify = world.make(U128_LIBFUNCS, "u128_mul_guarantee_verify");
    const [high, low] = [FIELD_PRIME / WIDE, FIELD_PRIME % WIDE];
    const hints: HintWriter = (name, inputs) =>
      inputs.get("rhs") === WIDE ? [high, low] : honestHints(name, inputs);
    expect(isAccepted(() => world.checked(verify, [[0n, 0n, high, low]], hints))).toBe(false);
    expect(isAccepted(() => world.checked(verify, [[0n, 0n, 0n, 0n]]))).toBe(true);
  });
});

describe("divRemAlgorithm: bound of the dividend's root", () => {
  test.each([
    [WIDE - 1n, 2n ** 64n],
    [WIDE, 2n ** 64n],
    [WIDE + 1n, 2n ** 64n + 1n],
  ])("for dividends below %s is %s", (upper, bound) => {
    expect(divRemAlgorithm({ lower: 0n, upper }, { lower: 2n, upper: WIDE })).toEqual({
      kind: "small_dividend",
      bound,
    });
  });
});
