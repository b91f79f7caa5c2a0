import { expect, test } from "bun:test";
import fc from "fast-check";
import type { EcPoint, FieldKernel } from "#kernels/field/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { bySize } from "#test/helpers/test-size.ts";
import * as reference from "#test/helpers/reference/field.ts";
import { describeBuilds, felts } from "./builds.ts";

const { N } = reference;

/** Largest multiple and number of scalars for which every combination is tried. */
const SMALL = bySize({ quick: [9n, 34n], full: [35n, 66n] } as const);

/** Uses of a point after which the kernel builds a table for it. */
const USES_UNTIL_TABLE = 2;

type EcOpResult = ReturnType<FieldKernel["ecOp"]>;

/**
 * Factor of Q in ec_op(k Q, Q, m), computed step by step on scalars alone.
 *
 * `undefined` where ec_op fails.
 */
function expectedFactor(k: bigint, m: bigint): bigint | undefined {
  let sum = reference.mod(k, N);
  let doubled = 1n;
  for (let rest = m; rest > 0n; rest >>= 1n) {
    if (sum === doubled || sum + doubled === N) return undefined;
    if ((rest & 1n) === 1n) sum = (sum + doubled) % N;
    doubled = (doubled * 2n) % N;
  }
  return sum;
}

function times(kernel: FieldKernel, base: bigint, factor: bigint): EcPoint {
  return kernel.mulGenerator((reference.mod(factor, N) * base) % N);
}

function expected(kernel: FieldKernel, base: bigint, k: bigint, m: bigint): EcOpResult {
  const factor = expectedFactor(k, m);
  if (factor === undefined) return { status: "sameX" };
  return { status: "ok", point: times(kernel, base, factor) };
}

/** Makes the kernel build a table for a base, and returns the base. */
function tabledBase(kernel: FieldKernel, base: bigint): bigint {
  const point = kernel.mulGenerator(base);
  const other = kernel.mulGenerator(base + 1n);
  for (let i = 0; i < USES_UNTIL_TABLE; i++) kernel.ecOp(other, point, 0n);
  return base;
}

const bases = fc.bigInt({ min: 2n, max: N - 1n });
const signs = fc.constantFrom(1n, -1n);

interface Meeting {
  readonly m: bigint;
  readonly step: number;
  readonly sign: bigint;
  readonly off: bigint;
  readonly isScaled: boolean;
}

/** Factors at or next to those for which some ladder step meets equal x. */
const meeting: fc.Arbitrary<Meeting> = fc.record({
  m: fc.oneof(
    felts,
    fc.bigInt({ min: 0n, max: 4096n }),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  ),
  step: fc.nat(255),
  sign: signs,
  off: fc.oneof(fc.constant(0n), fc.bigInt({ min: -16n, max: 16n })),
  isScaled: fc.boolean(),
});

function meetingFactor({ m, step, sign, off, isScaled }: Meeting): bigint {
  const power = 2n ** BigInt(step);
  return sign * power - (m % power) + (isScaled ? off * power : off);
}

describeBuilds("ec_op", (kernel) => {
  const fresh = (base: bigint): bigint => base;
  const ways = [
    ["of a new point", fresh],
    ["of a point with a table", (base: bigint) => tabledBase(kernel, base)],
    ["of the generator", () => 1n],
  ] as const;

  test.each(ways)("%s is the sum of its definition", (_, prepared) => {
    assertProperty(
      fc.property(bases, bases, felts, (anyBase, k, m) => {
        const base = prepared(anyBase);
        const q = times(kernel, base, 1n);
        expect(kernel.ecOp(times(kernel, base, k), q, m)).toEqual(expected(kernel, base, k, m));
      }),
      { numRuns: 60 },
    );
  });

  test.each(ways)("%s fails exactly where a step meets equal x", (_, prepared) => {
    let failures = 0;
    assertProperty(
      fc.property(bases, meeting, (anyBase, near) => {
        const k = meetingFactor(near);
        fc.pre(k % N !== 0n);
        const base = prepared(anyBase);
        const q = times(kernel, base, 1n);
        const result = kernel.ecOp(times(kernel, base, k), q, near.m);
        expect(result).toEqual(expected(kernel, base, k, near.m));
        if (result.status === "sameX") failures++;
      }),
      { numRuns: 400, minRuns: 100 },
    );
    expect(failures).toBeGreaterThan(20);
  });

  test("gives the defined sums and failures for all small multiples and scalars", () => {
    const tabled = tabledBase(kernel, 11n);
    for (let k = -SMALL[0]; k <= SMALL[0]; k++) {
      if (k === 0n) continue;
      for (let m = 0n; m < SMALL[1]; m++) {
        const p = times(kernel, tabled, k);
        expect(kernel.ecOp(p, times(kernel, tabled, 1n), m)).toEqual(
          expected(kernel, tabled, k, m),
        );
        // Every pair has its own base, which the kernel sees once.
        const base = 1_000_003n + (k + 35n) * 100n + m;
        expect(kernel.ecOp(times(kernel, base, k), times(kernel, base, 1n), m)).toEqual(
          expected(kernel, base, k, m),
        );
      }
    }
  });

  test("a chain that uses every result as the next base matches its scalars", () => {
    let [k, base] = [5n, 3n];
    for (let i = 0; i < 40; i++) {
      const m = (2n ** 251n - 1n) / BigInt(i + 1);
      const result = kernel.ecOp(times(kernel, 1n, k), times(kernel, 1n, base), m);
      const sum = (k + m * base) % N;
      expect(result).toEqual({ status: "ok", point: times(kernel, 1n, sum) });
      [k, base] = [base, sum];
    }
  });

  test("tables stay correct when more points are used than tables exist", () => {
    const p = kernel.mulGenerator(77n);
    for (let base = 100n; base < 700n; base++) tabledBase(kernel, base);
    for (let base = 100n; base < 700n; base++) {
      const result = kernel.ecOp(p, kernel.mulGenerator(base), 1_000n + base);
      expect(result).toEqual({
        status: "ok",
        point: kernel.mulGenerator(77n + base * (1_000n + base)),
      });
    }
  });
});
