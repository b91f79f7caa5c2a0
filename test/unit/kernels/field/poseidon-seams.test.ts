import { expect, test } from "bun:test";
import { poseidonSmall } from "@scure/starknet";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { inverse, mod, P, power } from "#test/helpers/reference/field.ts";
import { poseidonKeys } from "../../../../scripts/poseidon-keys.ts";
import { describeBuilds, felts } from "./builds.ts";

type State = readonly [bigint, bigint, bigint];

const MONTGOMERY = mod(1n << 256n);
const PLAIN = inverse(MONTGOMERY);
const HALF = inverse(2n);
const CUBE_ROOT = cubeRootExponent();
const KEYS = poseidonKeys();

/** 1 / 3 modulo P - 1. */
function cubeRootExponent(): bigint {
  const order = P - 1n;
  return ((order % 3n === 1n ? 2n : 1n) * order + 1n) / 3n;
}

const cube = (x: bigint): bigint => mod(x * x * x);
const partialKey = (round: number): bigint => mod((KEYS.partial[round] ?? 0n) * PLAIN);

/** Applies the inverse of the permutation's matrix. */
function unmix([a, b, c]: State): State {
  const sum = mod((a - b) * HALF);
  const third = mod((sum - c) * HALF);
  const first = mod((a - sum - third) * HALF);
  return [first, mod(sum - first), third];
}

/** Permutation input for which the partial rounds start with the given elements. */
function beforeFullRounds(state: State): State {
  let current = state;
  for (let round = 3; round >= 0; round--) {
    const [a, b, c] = unmix(current).map((element, i) => {
      const key = mod((KEYS.full[3 * round + i] ?? 0n) * PLAIN);
      return mod(power(element, CUBE_ROOT) - key);
    });
    current = [a ?? 0n, b ?? 0n, c ?? 0n];
  }
  return current;
}

/**
 * Permutation input for which the kernel's recurrence starts with p(0) = `before`.
 *
 * {@link nowOf} chooses p(1) from the S-box output; all in the kernel's Montgomery form.
 */
function meeting(before: bigint, third: bigint, nowOf: (output: bigint) => bigint): State {
  const p0 = mod(before * PLAIN);
  const s2 = mod(third * PLAIN);
  const y0 = cube(s2 + partialKey(0));
  const y1 = cube(p0 - 2n * y0 + partialKey(1));
  const p1 = mod(nowOf(mod(y1 * MONTGOMERY)) * PLAIN);
  const s0 = mod((p1 - 2n * y0) * HALF * HALF);
  return beforeFullRounds([s0, mod(p0 - s0), s2]);
}

describeBuilds("partial rounds of Poseidon", (kernel) => {
  const expectRight = ([a, b, c]: State): void => {
    expect(kernel.poseidonPermute(a, b, c)).toEqual(
      poseidonSmall([a, b, c]) as [bigint, bigint, bigint],
    );
  };

  test("are correct for sums at limb and field boundaries", () => {
    assertProperty(
      fc.property(felts, felts, felts, (before, third, now) => {
        expectRight(meeting(before, third, () => now));
      }),
      { numRuns: 60 },
    );
  });

  test("are correct where the low limb of a sum is below the amount that the reduction subtracts", () => {
    assertProperty(
      fc.property(
        felts,
        felts,
        felts,
        fc.integer({ min: -3, max: 9 }),
        (before, third, now, low) => {
          const input = meeting(before, third, (output) => {
            const wanted = BigInt.asUintN(64, BigInt(low) - 2n * before - output);
            return ((now >> 64n) << 64n) + wanted;
          });
          expectRight(input);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("are correct where the low limbs of a square are zero", () => {
    const bits = fc.constantFrom(64n, 128n, 192n);
    assertProperty(
      fc.property(felts, felts, felts, bits, (square, second, third, zeros) => {
        const input = rootOf(mod((square >> zeros) << zeros) * MONTGOMERY);
        fc.pre(input !== undefined);
        const key = (KEYS.full[0] ?? 0n) * PLAIN;
        for (const root of [input ?? 0n, -(input ?? 0n)]) {
          expectRight([mod(root * PLAIN - key), second, third]);
        }
      }),
      { numRuns: 40 },
    );
  });

  /** A square root modulo P; `undefined` for non-squares. */
  function rootOf(value: bigint): bigint | undefined {
    return kernel.squareRoot(mod(value));
  }
});
