import { expect, test } from "bun:test";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { isOnCurve, isSquare, P } from "#test/helpers/reference/field.ts";
import { integerSquareRoot } from "#test/helpers/reference/vm/hints.ts";
import { describeBuilds, input, output, runHint } from "./builds.ts";

const LOW = (1n << 128n) - 1n;
const NUM_RUNS = 150;

/** Integers of all lengths up to `bits` bits, biased to word boundaries. */
function integers(bits: number): fc.Arbitrary<bigint> {
  const most = (1n << BigInt(bits)) - 1n;
  const edges = [32, 64, 96, 128, 160, 192, 224]
    .filter((edge) => edge < bits)
    .flatMap((edge) => [1n << BigInt(edge), (1n << BigInt(edge)) - 1n, (1n << BigInt(edge)) + 1n]);
  return fc.oneof(
    fc.bigInt(0n, most),
    fc.constantFrom(0n, 1n, 2n, most, ...edges),
    fc.integer({ min: 1, max: bits }).chain((length) => fc.bigInt(0n, (1n << BigInt(length)) - 1n)),
  );
}

const u128 = integers(128);
const felt = integers(252).filter((value) => value < P);
const nonZero = felt.filter((value) => value > 0n);
/** Powers of two at which compiled code splits integers, and their neighbours. */
const limbBoundary = fc
  .tuple(fc.constantFrom(32n, 64n, 128n, 192n), fc.bigInt(-1n, 1n))
  .map(([bits, distance]) => (1n << bits) + distance);

function halves(value: bigint): [bigint, bigint] {
  return [value & LOW, value >> 128n];
}

describeBuilds("arithmetic hints", (kernel) => {
  test("TestLessThan and TestLessThanOrEqual compare integers", () => {
    const test2 = (name: string) => ({ [name]: { lhs: input(0), rhs: input(1), dst: output(0) } });
    assertProperty(
      fc.property(felt, fc.option(felt), (a, other) => {
        const b = other ?? a;
        expect(runHint(kernel, test2("TestLessThan"), [a, b], 1)).toEqual([a < b ? 1n : 0n]);
        expect(runHint(kernel, test2("TestLessThanOrEqual"), [a, b], 1)).toEqual([
          a <= b ? 1n : 0n,
        ]);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  test("accept constants, sums and products as operands", () => {
    const constant = (value: bigint) => ({ Immediate: `0x${value.toString(16)}` });
    const binary = (op: string, b: unknown) => ({
      BinOp: { op, a: { register: "FP", offset: 0 }, b },
    });
    assertProperty(
      fc.property(felt, felt, felt, (a, b, c) => {
        for (const [operand, value] of [
          [constant(b), b],
          [binary("Add", constant(b)), (a + b) % P],
          [binary("Mul", constant(b)), (a * b) % P],
          [binary("Add", input(1)), (a + b) % P],
          [binary("Mul", input(1)), (a * b) % P],
        ] as const) {
          const hint = { TestLessThan: { lhs: operand, rhs: input(2), dst: output(0) } };
          expect(runHint(kernel, hint, [a, b, c], 1)).toEqual([value < c ? 1n : 0n]);
        }
      }),
      { numRuns: NUM_RUNS / 5 },
    );
  });

  test("WideMul128 gives the high and low half of the product", () => {
    const hint = { WideMul128: { lhs: input(0), rhs: input(1), high: output(0), low: output(1) } };
    assertProperty(
      fc.property(u128, u128, (a, b) => {
        expect(runHint(kernel, hint, [a, b], 2)).toEqual([(a * b) >> 128n, (a * b) & LOW]);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  test("DivMod gives quotient and remainder, and fails for a zero divisor", () => {
    const hint = {
      DivMod: { lhs: input(0), rhs: input(1), quotient: output(0), remainder: output(1) },
    };
    assertProperty(
      fc.property(felt, fc.oneof(nonZero, limbBoundary), (a, b) => {
        expect(runHint(kernel, hint, [a, b], 2)).toEqual([a / b, a % b]);
      }),
      { numRuns: NUM_RUNS },
    );
    expect(runHint(kernel, hint, [1n, 0n], 2)).toBeUndefined();
  });

  test("Uint256DivMod divides 256-bit integers", () => {
    const hint = {
      Uint256DivMod: {
        ...{ dividend0: input(0), dividend1: input(1), divisor0: input(2), divisor1: input(3) },
        ...{ quotient0: output(0), quotient1: output(1) },
        ...{ remainder0: output(2), remainder1: output(3) },
      },
    };
    const u256 = integers(256);
    assertProperty(
      fc.property(u256, u256, (a, b) => {
        const expected = b === 0n ? undefined : [...halves(a / b), ...halves(a % b)];
        expect(runHint(kernel, hint, [...halves(a), ...halves(b)], 4)).toEqual(expected);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  test("SquareRoot and Uint256SquareRoot give the largest root and the rest", () => {
    const small = { SquareRoot: { value: input(0), dst: output(0) } };
    const large = {
      Uint256SquareRoot: {
        ...{ value_low: input(0), value_high: input(1), sqrt0: output(0), sqrt1: output(1) },
        ...{ remainder_low: output(2), remainder_high: output(3) },
        sqrt_mul_2_minus_remainder_ge_u128: output(4),
      },
    };
    assertProperty(
      fc.property(felt, integers(256), (a, b) => {
        expect(runHint(kernel, small, [a], 1)).toEqual([integerSquareRoot(a)]);
        const root = integerSquareRoot(b);
        const rest = b - root * root;
        expect(runHint(kernel, large, halves(b), 5)).toEqual([
          root & ((1n << 64n) - 1n),
          root >> 64n,
          ...halves(rest),
          2n * root - rest >= 1n << 128n ? 1n : 0n,
        ]);
      }),
      { numRuns: NUM_RUNS / 3 },
    );
  });

  test("LinearSplit splits the value into x * scalar + y with x at most max_x", () => {
    const hint = {
      LinearSplit: {
        ...{ value: input(0), scalar: input(1), max_x: input(2) },
        ...{ x: output(0), y: output(1) },
      },
    };
    assertProperty(
      fc.property(felt, nonZero, u128, (value, scalar, most) => {
        const x = value / scalar < most ? value / scalar : most;
        const y = (((value - x * scalar) % P) + P) % P;
        expect(runHint(kernel, hint, [value, scalar, most], 2)).toEqual([x, y]);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  test("FieldSqrt gives the smaller root of the value or of three times the value", () => {
    const hint = { FieldSqrt: { val: input(0), sqrt: output(0) } };
    assertProperty(
      fc.property(felt, (value) => {
        const [root = 0n] = runHint(kernel, hint, [value], 1) ?? [];
        const square = isSquare(value) || value === 0n ? value : (3n * value) % P;
        expect([(root * root) % P, root <= P / 2n]).toEqual([square, true]);
      }),
      { numRuns: 30 },
    );
  });

  test("RandomEcPoint gives the same curve point in every run", () => {
    const hint = { RandomEcPoint: { x: output(0), y: output(1) } };
    const [x = 0n, y = 0n] = runHint(kernel, hint, [], 2) ?? [];
    expect(isOnCurve({ x, y })).toBe(true);
    expect(runHint(kernel, hint, [], 2)).toEqual([x, y]);
  });
});
