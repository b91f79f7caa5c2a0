import { describe, expect, test } from "bun:test";
import { GenerationCache } from "#io/storage/cache.ts";

describe("GenerationCache", () => {
  test("keeps at most its weight and at least the newest half of it", () => {
    const cache = new GenerationCache<number, number>(10);
    for (let i = 0; i < 100; i++) cache.set(i, i);
    const kept = Array.from({ length: 100 }, (_, i) => i).filter((i) => cache.get(i) !== undefined);
    expect(kept.length).toBeLessThanOrEqual(10);
    expect(kept).toEqual(expect.arrayContaining([95, 96, 97, 98, 99]));
  });

  test("keeps what is used repeatedly", () => {
    const cache = new GenerationCache<number, string>(10);
    cache.set(-1, "hot");
    for (let i = 0; i < 100; i++) {
      cache.set(i, "cold");
      expect(cache.get(-1)).toBe("hot");
    }
  });

  test("keeps a value above its weight limit until the next ones", () => {
    const cache = new GenerationCache<number, number>(10, (weight) => weight);
    cache.set(1, 50);
    expect(cache.get(1)).toBe(50);
    cache.set(2, 1);
    cache.set(3, 5);
    expect(cache.get(1)).toBeUndefined();
  });

  test("keeps nothing with a weight of zero", () => {
    const cache = new GenerationCache<number, number>(0);
    cache.set(1, 1);
    expect(cache.get(1)).toBeUndefined();
  });
});
