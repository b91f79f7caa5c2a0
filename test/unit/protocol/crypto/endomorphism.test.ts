import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { SECP256K1_ENDOMORPHISM as SECP256K1 } from "#engine/execution/syscalls/secp-curve.ts";
import { splitMultiple } from "#protocol/crypto/endomorphism.ts";

const LAMBDA = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n;
const POINT = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
};

describe("the endomorphism of secp256k1", () => {
  test("splits an integer into two of half as many bits that stand for it", () => {
    const largest = 2n ** 256n - 1n;
    const integer = fc.oneof(
      fc.bigInt(0n, largest),
      fc.bigInt(largest - 9n, largest),
      fc.bigInt(SECP256K1.order - 9n, SECP256K1.order + 9n),
      fc.bigInt(0n, 9n),
    );
    assertProperty(
      fc.property(integer, (scalar) => {
        const [first, second] = splitMultiple(SECP256K1, POINT, scalar);
        // A factor below zero is given as its size with the point's negative.
        const signed = [first, second].map(({ point, factor }) =>
          point.y === POINT.y ? factor : -factor,
        );
        const [s = 0n, t = 0n] = signed;
        expect((s + t * LAMBDA - scalar) % SECP256K1.order).toBe(0n);
        expect(first.factor >> 129n).toBe(0n);
        expect(second.factor >> 129n).toBe(0n);
      }),
    );
  });

  test("keeps infinity where it is", () => {
    const infinity = { x: 0n, y: 0n };
    const terms = splitMultiple(SECP256K1, infinity, SECP256K1.order - 1n);
    expect(terms.map(({ point }) => point)).toEqual([infinity, infinity]);
  });
});
