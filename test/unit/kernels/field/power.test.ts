import { expect, test } from "bun:test";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { P, power } from "#test/helpers/reference/field.ts";
import { describeBuilds } from "./builds.ts";

const MAX = 2n ** 256n - 1n;

/** Primes of secp256k1, secp256r1 and the Stark field, and the largest and smallest moduli. */
const MODULI = [
  0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn,
  0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  ...[P, MAX, MAX - 2n, 3n, (1n << 255n) + 1n],
  // The last modulus right below 2^256 and its predecessor.
  ...[MAX - (1n << 63n) + 2n, MAX - (1n << 63n)],
];

const integers = fc.oneof(
  fc.bigInt({ min: 0n, max: MAX }),
  fc.constantFrom(0n, 1n, 2n, MAX, MAX - 1n, 1n << 255n, (1n << 64n) - 1n),
);
const moduli = fc.oneof(
  fc.constantFrom(...MODULI),
  fc.bigInt({ min: 1n, max: MAX >> 1n }).map((half) => 2n * half + 1n),
);

describeBuilds("modular powers", (kernel) => {
  test("equal repeated squaring, modulo any odd 256-bit number", () => {
    assertProperty(
      fc.property(integers, integers, moduli, (any, exponent, modulus) => {
        const base = any % modulus;
        const r2 = 2n ** 512n % modulus;
        expect(kernel.power(base, exponent, modulus, r2)).toBe(power(base, exponent, modulus));
      }),
      { numRuns: 300 },
    );
  });

  test("are correct for the largest bases of every modulus", () => {
    for (const modulus of MODULI) {
      for (const exponent of [0n, 1n, 2n, 3n, modulus - 1n, modulus - 2n]) {
        const actual = kernel.power(modulus - 1n, exponent, modulus, 2n ** 512n % modulus);
        expect(actual).toBe(power(modulus - 1n, exponent, modulus));
      }
    }
  });
});
