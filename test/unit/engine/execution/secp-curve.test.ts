import { describe, expect, test } from "bun:test";
import { createECDH } from "node:crypto";
import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import {
  bigintSecpAdd,
  bigintSecpMultiply,
  SECP256K1_LAMBDA,
  SECP_GENERATORS,
} from "#test/helpers/reference/secp.ts";
import { assertProperty } from "#test/helpers/property.ts";
import {
  INFINITY,
  isOnCurve,
  pointFromX,
  SECP256K1,
  SECP256R1,
  secpAdd,
  secpMultiply,
  type SecpPoint,
} from "#engine/execution/syscalls/secp-curve.ts";

const CURVES = [
  {
    name: "secp256k1",
    curve: SECP256K1,
    generator: SECP_GENERATORS.secp256k1,
    order: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
  },
  {
    name: "secp256r1",
    curve: SECP256R1,
    generator: SECP_GENERATORS.secp256r1,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  },
] as const;

/** `scalar` times the generator, computed by another implementation. */
function publicKey(name: "secp256k1" | "secp256r1", scalar: bigint): SecpPoint {
  const digits = scalar.toString(16).padStart(64, "0");
  let key = "";
  if (name === "secp256k1") key = privateKeyToAccount(`0x${digits}`).publicKey.slice(4);
  else {
    const ecdh = createECDH("prime256v1");
    ecdh.setPrivateKey(digits, "hex");
    key = ecdh.getPublicKey("hex", "uncompressed").slice(2);
  }
  return { x: BigInt(`0x${key.slice(0, 64)}`), y: BigInt(`0x${key.slice(64)}`) };
}

for (const { name, curve, generator, order } of CURVES) {
  describe(name, () => {
    const scalar = fc.bigInt({ min: 1n, max: order - 1n });

    test("multiplies like another implementation", () => {
      assertProperty(
        fc.property(scalar, (k) => {
          expect(secpMultiply(curve, generator, k)).toEqual(publicKey(name, k));
        }),
        { numRuns: 20 },
      );
    });

    test("adds and multiplies any points like a bigint implementation", () => {
      const edge = fc.constantFrom(
        ...[0n, 1n, 2n, 15n, 16n, 17n, 31n],
        order - 1n,
        order,
        order + 1n,
        ...[order / 2n, 2n ** 128n - 1n, 2n ** 128n, SECP256K1_LAMBDA, order - SECP256K1_LAMBDA],
      );
      const largest = 2n ** 256n - 1n;
      const integer = fc.oneof(edge, fc.bigInt(largest - 20n, largest), fc.bigInt(0n, largest));
      const point = fc.oneof(edge, scalar).map((k) => bigintSecpMultiply(curve, generator, k));
      assertProperty(
        fc.property(point, point, integer, (p, q, k) => {
          const negative = { x: p.x, y: p.y === 0n ? 0n : curve.prime - p.y };
          expect(secpMultiply(curve, p, k)).toEqual(bigintSecpMultiply(curve, p, k));
          for (const other of [q, p, negative]) {
            expect(secpAdd(curve, p, other)).toEqual(bigintSecpAdd(curve, p, other));
          }
          expect(secpAdd(curve, p, negative)).toEqual(INFINITY);
        }),
        { numRuns: 40 },
      );
    });

    test("adds multiples of the generator", () => {
      assertProperty(
        fc.property(scalar, scalar, (a, b) => {
          const sum = secpAdd(
            curve,
            secpMultiply(curve, generator, a),
            secpMultiply(curve, generator, b),
          );
          expect(sum).toEqual(secpMultiply(curve, generator, (a + b) % order));
        }),
        { numRuns: 10 },
      );
    });

    test("yields infinity at the order", () => {
      expect(secpMultiply(curve, generator, order)).toEqual(INFINITY);
    });

    test("finds both points of an x coordinate", () => {
      const found = [true, false].map((isOdd) => pointFromX(curve, generator.x, isOdd));
      expect(found).toContainEqual(generator);
    });

    test("recognises points on the curve", () => {
      const other = { x: generator.x, y: generator.y + 1n };
      expect([isOnCurve(curve, generator), isOnCurve(curve, other)]).toEqual([true, false]);
    });
  });
}
