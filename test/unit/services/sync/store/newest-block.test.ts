import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { blockKey } from "#services/replication/index.ts";
import { newestBlockAfter } from "#services/sync/store/newest-block.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";
import { assertProperty } from "#test/helpers/property.ts";

function storeOf(numbers: Iterable<number>): MemoryObjectStore {
  const store = new MemoryObjectStore();
  for (const number of numbers) store.objects.set(blockKey(number), new Uint8Array(1));
  return store;
}

const upTo = (last: number): number[] => Array.from({ length: last + 1 }, (_, number) => number);

describe("the newest block of a listing", () => {
  test("is absent without a higher one", async () => {
    expect(await newestBlockAfter(storeOf([]), -1)).toBeUndefined();
    expect(await newestBlockAfter(storeOf([0, 1, 2]), 2)).toBeUndefined();
    expect(await newestBlockAfter(storeOf([0, 1, 2]), 1)).toBe(2);
  });

  test("is found after a page and at its end", async () => {
    for (const last of [998, 999, 1_000, 1_001, 1_999, 2_000, 2_001, 4_321]) {
      expect(await newestBlockAfter(storeOf(upTo(last)), -1)).toBe(last);
    }
  });

  test("is found from anywhere, across gaps, in a few listings", async () => {
    await assertProperty(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat({ max: 30_000 }), { maxLength: 20 }),
        fc.integer({ min: -1, max: 30_000 }),
        fc.nat({ max: 9_000 }),
        async (single, after, dense) => {
          const numbers = [...upTo(dense), ...single];
          const store = storeOf(numbers);
          const newest = await newestBlockAfter(store, after);
          const above = numbers.filter((number) => number > after);
          expect(newest).toBe(above.length === 0 ? undefined : Math.max(...above));
          expect(store.questions.length).toBeLessThan(30);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("ignores other objects with the same prefix", async () => {
    const store = storeOf([4]);
    for (const key of ["blocks/000000000009.tmp", "blocks/x", "blocks/00000000010", "leader"]) {
      store.objects.set(key, new Uint8Array(1));
    }
    expect(await newestBlockAfter(store, -1)).toBe(4);
  });

  test("ends for a store that lists the same, everything or nonsense forever", async () => {
    const page = (key: (i: number) => string) =>
      Array.from({ length: 1_000 }, (_, i) => ({ key: key(i), sizeBytes: 1 }));
    let asked = 0;
    const lying = (answer: (after: string | undefined) => ReturnType<typeof page>) => ({
      list(_: string, after: string | undefined) {
        asked++;
        return Promise.resolve(answer(after));
      },
    });
    expect(
      await newestBlockAfter(
        lying(() => page(() => blockKey(7))),
        7,
      ),
    ).toBeUndefined();
    expect(
      await newestBlockAfter(
        lying(() => page(() => blockKey(7))),
        -1,
      ),
    ).toBe(7);
    expect(
      await newestBlockAfter(
        lying(() => page(() => "blocks/")),
        -1,
      ),
    ).toBeUndefined();
    const last = 10 ** 12 - 1;
    expect(
      await newestBlockAfter(
        lying(() => page(() => blockKey(last))),
        -1,
      ),
    ).toBe(last);
    const next = (after: string | undefined, i: number): string =>
      blockKey(Math.min(last, Number(after?.slice(7) ?? -1) + 1 + i));
    expect(
      await newestBlockAfter(
        lying((after) => page((i) => next(after, i))),
        -1,
      ),
    ).toBe(last);
    expect(asked).toBeLessThan(200);
  });
});
