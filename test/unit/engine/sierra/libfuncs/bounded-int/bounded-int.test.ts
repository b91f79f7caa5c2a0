import { describe, expect, test } from "bun:test";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";
import { CompileError } from "#engine/sierra/compile-error.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { BOUNDED_INT_LIBFUNCS } from "#engine/sierra/libfuncs/bounded-int/family.ts";
import type { GenericArgument } from "#engine/sierra/program/program.ts";
import { felt, type HintWriter } from "#test/helpers/sierra/casm-run.ts";
import { honestHints, lyingHints } from "#test/helpers/sierra/honest-hints.ts";
import { IntegerWorld, isAccepted, isProof } from "#test/helpers/sierra/integer-world.ts";

const WIDE = 2n ** 128n;

const world = new IntegerWorld();
const make = (name: string, ...args: readonly GenericArgument[]) =>
  world.make(BOUNDED_INT_LIBFUNCS, `bounded_int_${name}`, ...args);
const nonZero = (type: number) => world.find("NonZero", [typeArg(type)]);
const value = (of: bigint): GenericArgument => ({ kind: "value", value: of });
const bounded = (min: bigint, max: bigint) => typeArg(world.bounded(min, max));

describe("bounded_int arithmetic", () => {
  test.each([
    ["add", [-3n, 5n], [10n, 20n], [7n, 25n]],
    ["sub", [-3n, 5n], [10n, 20n], [-23n, -5n]],
    ["mul", [-3n, 5n], [-10n, 20n], [-60n, 100n]],
    ["mul", [-3n, -2n], [-10n, -7n], [14n, 30n]],
    ["mul", [-3n, 5n], [-10n, -7n], [-50n, 30n]],
  ] as const)("%s of %p and %p has the range %p", (name, [a, b], [c, d], [min, max]) => {
    const libfunc = make(name, bounded(a, b), bounded(c, d));
    expect(libfunc.signature.branches[0]?.variables[0]?.type).toBe(world.bounded(min, max));
    const operation = { add: a + c, sub: a - c, mul: a * c }[name];
    expect(world.run(libfunc, [[felt(a)], [felt(c)]]).outputs).toEqual([[felt(operation)]]);
  });

  test("a product of non-zero factors is non-zero", () => {
    const [a, b] = [nonZero(world.bounded(0n, 3n)), nonZero(world.bounded(0n, 7n))];
    const { signature } = make("mul", typeArg(a), typeArg(b));
    expect(signature.branches[0]?.variables[0]?.type).toBe(nonZero(world.bounded(0n, 21n)));
    expect(() => make("mul", typeArg(a), bounded(0n, 7n))).toThrow("both exclude zero");
  });
});

describe("bounded_int_div_rem", () => {
  const cases = [
    ["a divisor that is small", [0n, WIDE - 1n], [1n, 100n], 3],
    ["a divisor with a small quotient", [0n, 2n ** 130n], [WIDE / 4n, WIDE - 1n], 4],
    ["a divisor with a small dividend", [0n, WIDE - 1n], [0n, WIDE - 1n], 4],
    ["a divisor of one", [0n, 100n], [1n, 1n], 3],
  ] as const;

  test.each(cases)("divides by %s", (_, [min, max], [low, high], checks) => {
    const divisorType = world.bounded(low, high);
    const libfunc = make("div_rem", bounded(min, max), typeArg(divisorType));
    expect(libfunc.signature.params[2]).toBe(nonZero(divisorType));
    const least = low > 1n ? low : 1n;
    expect(libfunc.signature.branches[0]?.variables.map(({ type }) => type)).toEqual([
      world.find("RangeCheck"),
      world.bounded(min / high, max / least),
      world.bounded(0n, high - 1n),
    ]);
    for (const dividend of [min, max, max / 2n, 1n]) {
      for (const divisor of [least, high, (least + high) / 2n]) {
        const run = world.checked(libfunc, [[dividend], [divisor]]);
        expect(run.outputs.slice(1)).toEqual([[dividend / divisor], [dividend % divisor]]);
        expect(isProof(run)).toBe(true);
        expect(run.rangeChecks).toHaveLength(checks);
      }
    }
  });

  test("rejects a quotient above its bound", () => {
    const libfunc = make("div_rem", bounded(0n, 2n ** 130n), bounded(WIDE / 4n, WIDE - 1n));
    const wrapped = 7n + FIELD_PRIME;
    const lie: HintWriter = (name, inputs) =>
      name === "DivMod"
        ? [wrapped / (WIDE - 1n), wrapped % (WIDE - 1n)]
        : honestHints(name, inputs);
    expect(isAccepted(() => world.checked(libfunc, [[7n], [WIDE - 1n]], lie))).toBe(false);
  });

  test.each([
    ["a negative dividend", [-1n, 5n], [1n, 2n]],
    ["a negative divisor", [0n, 5n], [-1n, 2n]],
    ["a divisor that can only be zero", [0n, 5n], [0n, 0n]],
    ["a divisor of more than 128 bits", [0n, 5n], [1n, WIDE + 1n]],
    ["a quotient of more than 128 bits", [0n, WIDE], [1n, 5n]],
    ["ranges that no algorithm supports", [0n, FIELD_PRIME - 1n], [2n ** 124n, WIDE]],
  ] as const)("rejects %s", (_, [min, max], [low, high]) => {
    expect(() => make("div_rem", bounded(min, max), bounded(low, high))).toThrow(
      "unsupported generic argument",
    );
  });
});

describe("bounded_int_constrain", () => {
  test.each([
    [0n, 255n, 10n],
    [-128n, 127n, 0n],
    [-128n, 127n, -5n],
    [0n, 2n ** 129n - 1n, WIDE],
    [-WIDE, WIDE - 1n, 0n],
  ])("splits %s..%s at %s", (min, max, boundary) => {
    const libfunc = make("constrain", bounded(min, max), value(boundary));
    const [low, high] = libfunc.signature.branches.map(({ variables }) => variables[1]?.type);
    expect([low, high]).toEqual([world.bounded(min, boundary - 1n), world.bounded(boundary, max)]);
    for (const each of [min, boundary - 1n, boundary, max]) {
      const run = world.checked(libfunc, [[each]]);
      expect(isProof(run)).toBe(true);
      expect([run.target, run.outputs[1]]).toEqual([
        each < boundary ? undefined : 101,
        [felt(each)],
      ]);
      expect(isAccepted(() => world.checked(libfunc, [[each]], lyingHints))).toBe(false);
    }
  });

  test("keeps a non-zero type non-zero", () => {
    const type = nonZero(world.bounded(0n, 9n));
    const { branches } = make("constrain", typeArg(type), value(5n)).signature;
    expect(branches.map(({ variables }) => variables[1]?.type)).toEqual([
      nonZero(world.bounded(0n, 4n)),
      nonZero(world.bounded(5n, 9n)),
    ]);
  });

  test("requires values on both sides of the boundary, at most 2^128 on each", () => {
    expect(() => make("constrain", bounded(0n, 9n), value(0n))).toThrow("a boundary within");
    expect(() => make("constrain", bounded(0n, 9n), value(10n))).toThrow("a boundary within");
    expect(() => make("constrain", bounded(0n, 9n), value(9n))).not.toThrow();
    expect(() => make("constrain", bounded(0n, WIDE + 1n), value(WIDE + 1n))).toThrow(
      "at most 2^128 values",
    );
  });
});

describe("bounded_int trim and zero tests", () => {
  test.each([
    ["trim_min", 0n, 9n, 0n, [1n, 9n]],
    ["trim_min", -5n, 9n, -5n, [-4n, 9n]],
    ["trim_max", -5n, 9n, 9n, [-5n, 8n]],
    ["trim_max", -5n, 0n, 0n, [-5n, -1n]],
  ] as const)("%s of %s..%s removes one value", (name, min, max, trimmed, [low, high]) => {
    const libfunc = make(name, bounded(min, max));
    expect(libfunc.signature.branches[1]?.variables[0]?.type).toBe(world.bounded(low, high));
    expect(libfunc.signature.branches[0]?.apChange).toBe(
      trimmed === 0n ? "new_vars_only" : "other",
    );
    for (const each of [min, max]) {
      const run = world.run(libfunc, [[each]]);
      expect(run.target).toBe(each === trimmed ? undefined : 101);
      expect(run.outputs).toEqual(each === trimmed ? [] : [[felt(each)]]);
    }
  });

  test("is_zero requires a type that includes zero", () => {
    for (const [min, max] of [
      [0n, 1n],
      [-1n, 0n],
      [-3n, 3n],
    ] as const) {
      expect(() => make("is_zero", bounded(min, max))).not.toThrow();
      expect(() => make("wrap_non_zero", bounded(min, max))).toThrow("does not have zero");
    }
    for (const [min, max] of [
      [1n, 2n],
      [-2n, -1n],
    ] as const) {
      expect(() => make("is_zero", bounded(min, max))).toThrow("a type that has zero");
      const { signature } = make("wrap_non_zero", bounded(min, max));
      expect(signature.branches[0]?.variables[0]?.type).toBe(nonZero(world.bounded(min, max)));
    }
  });

  test("guarantees have 32 bits", () => {
    expect(() => make("guarantee_verify", value(0n), value(2n ** 32n))).toThrow("32 bits");
    expect(() => make("guarantee_verify", value(1n), value(2n ** 32n - 1n))).toThrow("32 bits");
  });

  test.each([
    ["guarantee_verify", "BoundedIntGuarantee", 32_765],
    ["constrain", "BoundedInt", 32_766],
  ] as const)("%s requires all checks within 32767 cells of the pointer", (id, type, last) => {
    const bounds = [value(0n), value(2n ** 32n - 1n)] as const;
    const checked = world.find(type, bounds);
    const args = id === "constrain" ? [typeArg(checked), value(7n)] : bounds;
    const build = (offset: number) => () => {
      const a = fpCell(-9);
      const pointer = { kind: "bin_op", op: "add", a, b: immediate(offset) } as const;
      return world.build(make(id, ...args), { args: [[pointer], [deref(fpCell(-8))]] });
    };
    expect(build(last)).not.toThrow();
    expect(build(last + 1)).toThrow(CompileError);
  });
});
