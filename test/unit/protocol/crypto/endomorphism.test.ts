import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SECP256K1_LAMBDA, SECP_GENERATORS } from "#test/helpers/reference/secp.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { SECP256K1_ENDOMORPHISM as SECP256K1 } from "#engine/execution/syscalls/secp-curve.ts";
import { splitMultiple } from "#protocol/crypto/endomorphism.ts";

const POINT = SECP_GENERATORS.secp256k1;

describe("splitMultiple on secp256k1", () => {
  test("splits a scalar into two equivalent factors of half as many bits", () => {
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
        // A negative factor is represented by its absolute value and the negated point.
        const signed = [first, second].map(({ point, factor }) =>
          point.y === POINT.y ? factor : -factor,
        );
        const [s = 0n, t = 0n] = signed;
        expect((s + t * SECP256K1_LAMBDA - scalar) % SECP256K1.order).toBe(0n);
        expect(first.factor >> 129n).toBe(0n);
        expect(second.factor >> 129n).toBe(0n);
      }),
    );
  });

  test("keeps infinity unchanged", () => {
    const infinity = { x: 0n, y: 0n };
    const terms = splitMultiple(SECP256K1, infinity, SECP256K1.order - 1n);
    expect(terms.map(({ point }) => point)).toEqual([infinity, infinity]);
  });
});
