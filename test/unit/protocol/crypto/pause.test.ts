import { describe, expect, test } from "bun:test";
import { pedersen, pedersenArray, poseidonMany } from "#protocol/crypto/index.ts";
import { fieldKernel } from "#protocol/crypto/kernel.ts";
import type { Felt } from "#base/primitives/index.ts";

function felts(count: number): Felt[] {
  return Array.from({ length: count }, (_, i) => (BigInt(i) << 130n) + 7n);
}

function sponge(values: readonly Felt[]): Felt {
  const padded = [...values, 1n, ...(values.length % 2 === 0 ? [0n] : [])];
  let state: readonly Felt[] = [0n, 0n, 0n];
  for (let i = 0; i < padded.length; i += 2) {
    const [a = 0n, b = 0n, c = 0n] = state;
    const add = (x: Felt, y: Felt | undefined): Felt =>
      (x + (y ?? 0n)) % (2n ** 251n + 17n * 2n ** 192n + 1n);
    state = fieldKernel().poseidonPermute(add(a, padded[i]), add(b, padded[i + 1]), c);
  }
  return state[0] ?? 0n;
}

function chain(values: readonly Felt[]): Felt {
  return pedersen(values.reduce(pedersen, 0n), BigInt(values.length));
}

for (const [name, hash, reference] of [
  ["poseidonMany", poseidonMany, sponge],
  ["pedersenArray", pedersenArray, chain],
] as const) {
  describe(name, () => {
    for (const count of [1023, 1024, 1025, 2047, 2048, 2049, 5000, 5001]) {
      test(`pauses between the parts of ${count} felts without changing the hash`, () => {
        const values = felts(count);
        let asked = 0;
        expect(hash(values, () => asked++)).toBe(reference(values));
        expect(asked).toBeGreaterThanOrEqual(Math.floor(count / 2050));
      });
    }

    test("stops when the pause callback throws, and remains usable", () => {
      const stop = (): never => {
        throw new RangeError("stop");
      };
      expect(() => hash(felts(5000), stop)).toThrow("stop");
      expect(hash(felts(10))).toBe(reference(felts(10)));
    });
  });
}
