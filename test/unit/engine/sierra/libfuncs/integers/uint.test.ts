import { describe, expect, test } from "bun:test";
import { UINT_LIBFUNCS } from "#engine/sierra/libfuncs/integers/uint.ts";
import { felt } from "#test/helpers/sierra/casm-run.ts";
import { IntegerWorld, isAccepted } from "#test/helpers/sierra/integer-world.ts";
import { honestHints, lyingHints, root } from "#test/helpers/sierra/honest-hints.ts";
import type { HintWriter } from "#test/helpers/sierra/casm-run.ts";

const WIDTHS = [8n, 16n, 32n, 64n] as const;

describe.each(WIDTHS)("u%s", (bits) => {
  const world = new IntegerWorld();
  const type = `u${bits}`;
  const limit = 2n ** bits;
  const edges = [0n, 1n, limit / 2n - 1n, limit / 2n, limit - 2n, limit - 1n];
  const pairs = edges.flatMap((a) => edges.map((b) => [a, b] as const));
  const make = (name: string) => world.make(UINT_LIBFUNCS, `${type}_${name}`);

  test("overflowing_add wraps above the maximum", () => {
    const add = make("overflowing_add");
    for (const [a, b] of pairs) {
      const { target, outputs, rangeChecks } = world.checked(add, [[a], [b]]);
      expect(outputs[1]).toEqual([(a + b) % limit]);
      expect(target).toBe(a + b < limit ? undefined : 101);
      expect(rangeChecks.every((value) => value < 2n ** 128n)).toBe(true);
    }
  });

  test("overflowing_sub wraps below zero", () => {
    const sub = make("overflowing_sub");
    for (const [a, b] of pairs) {
      const { target, outputs, rangeChecks } = world.checked(sub, [[a], [b]]);
      expect(outputs[1]).toEqual([(a - b + limit) % limit]);
      expect(target).toBe(a >= b ? undefined : 101);
      expect(rangeChecks.every((value) => value < 2n ** 128n)).toBe(true);
    }
  });

  test("safe_divmod divides with a remainder", () => {
    const divmod = make("safe_divmod");
    for (const [a, b] of pairs) {
      if (b === 0n) continue;
      const { outputs, rangeChecks } = world.checked(divmod, [[a], [b]]);
      expect(outputs.slice(1)).toEqual([[a / b], [a % b]]);
      expect(rangeChecks.every((value) => value < 2n ** 128n)).toBe(true);
    }
  });

  test("sqrt returns the square root", () => {
    const sqrt = make("sqrt");
    for (const value of edges) {
      const { outputs, rangeChecks } = world.checked(sqrt, [[value]]);
      expect(outputs[1]).toEqual([root(value)]);
      expect(rangeChecks.every((each) => each < 2n ** 128n)).toBe(true);
    }
  });

  test("wide_mul multiplies into a wider integer", () => {
    const product = make("wide_mul");
    for (const [a, b] of pairs) {
      expect(world.run(product, [[a], [b]]).outputs).toEqual([[a * b]]);
    }
  });

  test("try_from_felt252 accepts felts in range", () => {
    const convert = make("try_from_felt252");
    for (const value of [...edges, limit, limit + 1n, felt(-1n), felt(-limit), 2n ** 128n]) {
      const { target, rangeChecks } = world.checked(convert, [[value]]);
      expect(target).toBe(value < limit ? undefined : 101);
      expect(rangeChecks.every((each) => each < 2n ** 128n)).toBe(true);
    }
  });

  test("rejects a wrong comparison hint", () => {
    const operations = ["overflowing_add", "overflowing_sub"].map(make);
    for (const libfunc of operations) {
      for (const [a, b] of pairs) {
        expect(isAccepted(() => world.checked(libfunc, [[a], [b]], lyingHints))).toBe(false);
      }
    }
    const convert = make("try_from_felt252");
    for (const value of [...edges, limit, felt(-1n)]) {
      expect(isAccepted(() => world.checked(convert, [[value]], lyingHints))).toBe(false);
    }
  });

  test("rejects a wrong quotient or root hint", () => {
    const off: HintWriter = (name, inputs) => {
      const [first = 0n, ...rest] = honestHints(name, inputs);
      return [first + 1n, ...rest];
    };
    for (const value of edges) {
      expect(isAccepted(() => world.checked(make("sqrt"), [[value]], off))).toBe(false);
      expect(isAccepted(() => world.checked(make("safe_divmod"), [[value], [3n]], off))).toBe(
        false,
      );
    }
  });

  test("const accepts values in range", () => {
    const constant = (value: bigint) =>
      world.make(UINT_LIBFUNCS, `${type}_const`, { kind: "value", value });
    expect(() => constant(limit - 1n)).not.toThrow();
    expect(() => constant(limit)).toThrow("unsupported generic argument");
    expect(() => constant(-1n)).toThrow("unsupported generic argument");
  });
});
