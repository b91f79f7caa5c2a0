import { expect, test } from "bun:test";
import { getStarkKey, sign } from "@scure/starknet";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { isSquare, N, P, rightSide } from "#test/helpers/reference/field.ts";
import { describeBuilds } from "./builds.ts";

const keys = fc.bigInt({ min: 1n, max: N - 1n });
const hashes = fc.bigInt({ min: 0n, max: (1n << 251n) - 1n });
const keyOf = (privateKey: bigint): bigint => BigInt(getStarkKey(privateKey.toString(16)));

describeBuilds("ECDSA", (kernel) => {
  test("accepts signatures of @scure/starknet and rejects neighbouring values", () => {
    assertProperty(
      fc.property(keys, hashes, (privateKey, hash) => {
        const { r, s } = sign(hash.toString(16), privateKey.toString(16));
        const key = keyOf(privateKey);
        expect(kernel.verify(key, hash, r, s)).toBe(true);
        expect(kernel.verify(key, hash ^ 1n, r, s)).toBe(false);
        expect(kernel.verify(key, hash, r ^ 1n, s)).toBe(false);
        expect(kernel.verify(key, hash, r, s ^ 1n)).toBe(false);
      }),
      { numRuns: 8 },
    );
  });

  test("accepts -s too, because the sign of the key is unknown", () => {
    const { r, s } = sign("1234", "5678");
    expect(kernel.verify(keyOf(0x5678n), 0x1234n, r, N - s)).toBe(true);
  });

  test("rejects zero and out-of-range values", () => {
    const { r, s } = sign("1234", "5678");
    const key = keyOf(0x5678n);
    expect(kernel.verify(key, 0x1234n, 0n, s)).toBe(false);
    expect(kernel.verify(key, 0x1234n, r, 0n)).toBe(false);
    expect(kernel.verify(key, 0x1234n, r, N)).toBe(false);
    expect(kernel.verify(key, 1n << 251n, r, s)).toBe(false);
    expect(kernel.verify(key, 0x1234n, P - 1n, s)).toBe(false);
  });

  test("inverts scalars modulo the order of the curve", () => {
    assertProperty(
      fc.property(keys, (value) => {
        expect((kernel.inverseScalar(value) * value) % N).toBe(1n);
      }),
    );
    for (const value of [1n, 2n, N - 1n, N - 2n, 1n << 192n]) {
      expect((kernel.inverseScalar(value) * value) % N).toBe(1n);
    }
  });

  test("rejects a key that is no x coordinate and the key of another signer", () => {
    const { r, s } = sign("1234", "5678");
    const candidates = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n];
    const isCoordinate = (x: bigint): boolean => isSquare(rightSide(x));
    expect(candidates.some(isCoordinate)).toBe(true);
    expect(candidates.every(isCoordinate)).toBe(false);
    for (const x of candidates) expect(kernel.verify(x, 0x1234n, r, s)).toBe(false);
  });
});
