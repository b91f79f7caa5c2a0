import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { poseidonHash, poseidonHashMany, poseidonHashSingle, poseidonSmall } from "@scure/starknet";
import fc from "fast-check";
import { bytesFromFelt, feltFromBytes } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { P } from "#test/helpers/reference/field.ts";
import {
  POSEIDON_KEYS_PATH,
  poseidonKeys,
  poseidonKeysSource,
} from "../../../../scripts/poseidon-keys.ts";
import { describeBuilds, felts } from "./builds.ts";

const lists = (maxLength: number) => fc.array(felts, { maxLength });

describeBuilds("Poseidon hash", (kernel) => {
  test("permutes zeros to the published values", () => {
    // starkware-industries/poseidon, README, "Poseidon3" test vector.
    expect(kernel.poseidonPermute(0n, 0n, 0n)).toEqual([
      3446325744004048536138401612021367625846492093718951375866996507163446763827n,
      1590252087433376791875644726012779423683501236913937337746052470473806035332n,
      867921192302518434283879514999422690776342565400001269945778456016268852423n,
    ]);
  });

  test("hashes two felts to the published value", () => {
    // xJonathanLEI/starknet-rs, starknet-crypto/src/poseidon_hash.rs (MIT or Apache-2.0).
    const hash = kernel.poseidon(
      0xb662f9017fa7956fd70e26129b1833e10ad000fd37b4d9f4e0ce6884b7bben,
      0x1fe356bf76102cdae1bfbdc173602ead228b12904c00dad9cf16e035468bean,
    );
    expect(hash).toBe(0x75540825a6ecc5dc7d7c2f5f868164182742227f1367d66c43ee51ec7937a81n);
  });

  test("permutes like @scure/starknet", () => {
    assertProperty(
      fc.property(felts, felts, felts, (a, b, c) => {
        expect(kernel.poseidonPermute(a, b, c)).toEqual(
          poseidonSmall([a, b, c]) as [bigint, bigint, bigint],
        );
      }),
      { numRuns: 100 },
    );
  });

  test("hashes one and two felts like @scure/starknet", () => {
    assertProperty(
      fc.property(felts, felts, (a, b) => {
        expect(kernel.poseidon(a, b)).toBe(poseidonHash(a, b));
        expect(kernel.poseidonSingle(a)).toBe(poseidonHashSingle(a));
      }),
      { numRuns: 30 },
    );
  });

  test("hashes lists like @scure/starknet", () => {
    assertProperty(
      fc.property(lists(9), (values) => {
        expect(kernel.poseidonMany(values)).toBe(poseidonHashMany(values));
      }),
      { numRuns: 30 },
    );
  });

  test("hashes a batch of lists like single lists", () => {
    assertProperty(
      fc.property(fc.array(lists(7), { maxLength: 30 }), (batch) => {
        expect(kernel.poseidonManyBatch(batch)).toEqual(
          batch.map((values) => kernel.poseidonMany(values)),
        );
      }),
      { numRuns: 20 },
    );
  });

  test("hashes a batch of pairs like single pairs", () => {
    const pairs = [1n, 2n, P - 1n, 0n, 0n, P - 1n];
    const hashes = [
      kernel.poseidon(1n, 2n),
      kernel.poseidon(P - 1n, 0n),
      kernel.poseidon(0n, P - 1n),
    ];
    expect(kernel.poseidonBatch(pairs)).toEqual(hashes);
    const bytes = new Uint8Array(pairs.flatMap((felt) => [...bytesFromFelt(felt)]));
    const result = kernel.poseidonBatchBytes(bytes);
    expect([0, 32, 64].map((at) => feltFromBytes(result.subarray(at, at + 32)))).toEqual(hashes);
  });

  test("hashes a list longer than the window", () => {
    const values = Array.from({ length: 8195 }, (_, i) => BigInt(i) * 0x123456789abcdefn);
    const state: [bigint, bigint, bigint] = [0n, 0n, 0n];
    const padded = [...values, 1n];
    for (let i = 0; i < padded.length; i += 2) {
      const next = kernel.poseidonPermute(
        (state[0] + (padded[i] ?? 0n)) % P,
        (state[1] + (padded[i + 1] ?? 0n)) % P,
        state[2],
      );
      state.splice(0, 3, ...next);
    }
    expect(kernel.poseidonMany(values)).toBe(state[0]);
    expect(kernel.poseidonManyBatch([[1n], values, [2n]])[1]).toBe(state[0]);
  });
});

test("the kernel's Poseidon round keys follow from their definition", () => {
  expect(readFileSync(POSEIDON_KEYS_PATH, "utf8")).toBe(poseidonKeysSource(poseidonKeys()));
});
