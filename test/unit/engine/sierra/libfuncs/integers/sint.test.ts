import { describe, expect, test } from "bun:test";
import { I128_LIBFUNCS, SINT_LIBFUNCS } from "#engine/sierra/libfuncs/integers/sint.ts";
import { felt } from "#test/helpers/sierra/casm-run.ts";
import { lyingHints } from "#test/helpers/sierra/honest-hints.ts";
import { IntegerWorld, isAccepted, isProof } from "#test/helpers/sierra/integer-world.ts";

const FAMILIES = { ...SINT_LIBFUNCS, ...I128_LIBFUNCS };

describe.each([8n, 16n, 32n, 64n, 128n])("i%s", (bits) => {
  const world = new IntegerWorld();
  const type = `i${bits}`;
  const half = 2n ** (bits - 1n);
  const edges = [-half, -half + 1n, -1n, 0n, 1n, half - 2n, half - 1n];
  const pairs = edges.flatMap((a) => edges.map((b) => [a, b] as const));
  const make = (name: string) => world.make(FAMILIES, `${type}_${name}`);

  test.each([
    ["overflowing_add_impl", (a: bigint, b: bigint) => a + b],
    ["overflowing_sub_impl", (a: bigint, b: bigint) => a - b],
  ])("%s wraps below the minimum and above the maximum", (name, operation) => {
    const libfunc = make(name);
    for (const [a, b] of pairs) {
      const value = operation(a, b);
      const run = world.checked(libfunc, [[a], [b]]);
      expect(isProof(run)).toBe(true);
      if (value < -half) {
        expect([run.target, run.outputs[1]]).toEqual([101, [felt(value + 2n * half)]]);
      } else if (value >= half) {
        expect([run.target, run.outputs[1]]).toEqual([102, [felt(value - 2n * half)]]);
      } else expect([run.target, run.outputs[1]]).toEqual([undefined, [felt(value)]]);
      expect(isAccepted(() => world.checked(libfunc, [[a], [b]], lyingHints))).toBe(false);
    }
  });

  test("diff returns unsigned distances", () => {
    const diff = make("diff");
    for (const [a, b] of pairs) {
      const run = world.checked(diff, [[a], [b]]);
      expect(isProof(run)).toBe(true);
      const wrapped = (a - b + 2n * half) % (2n * half);
      expect([run.target, run.outputs[1]]).toEqual([a >= b ? undefined : 101, [wrapped]]);
      expect(isAccepted(() => world.checked(diff, [[a], [b]], lyingHints))).toBe(false);
    }
    expect(diff.signature.branches[0]?.variables[1]?.type).toBe(world.find(`u${bits}`));
  });

  test("try_from_felt252 accepts felts in range", () => {
    const convert = make("try_from_felt252");
    for (const value of [...edges, -half - 1n, half, half + 1n, 2n ** 128n, -(2n ** 128n)]) {
      const run = world.checked(convert, [[value]]);
      expect(isProof(run)).toBe(true);
      expect(run.target).toBe(value >= -half && value < half ? undefined : 101);
      expect(isAccepted(() => world.checked(convert, [[value]], lyingHints))).toBe(false);
    }
  });

  test("const accepts values in range", () => {
    const constant = (value: bigint) =>
      world.make(FAMILIES, `${type}_const`, { kind: "value", value });
    expect(() => [constant(-half), constant(half - 1n)]).not.toThrow();
    expect(() => constant(-half - 1n)).toThrow("unsupported generic argument");
    expect(() => constant(half)).toThrow("unsupported generic argument");
  });

  test("wide_mul returns the next wider type, if there is one", () => {
    if (bits === 128n) return expect(Object.keys(FAMILIES)).not.toContain("i128_wide_mul");
    const product = make("wide_mul");
    for (const [a, b] of pairs) {
      expect(world.run(product, [[a], [b]]).outputs).toEqual([[felt(a * b)]]);
    }
    expect(product.signature.branches[0]?.variables[0]?.type).toBe(world.find(`i${2n * bits}`));
  });
});
