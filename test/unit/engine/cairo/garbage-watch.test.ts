import { expect, test } from "bun:test";
import { GarbageWatch } from "#engine/cairo/garbage-watch.ts";

const MB = 2 ** 20;

/** A watch that is polled every millisecond, and the times of its collections. */
function watched(bytesAt: (ms: number, collections: number) => number, collectMs = 5) {
  let ms = 0;
  const collections: number[] = [];
  const watch = new GarbageWatch({
    nowMs: () => ms,
    residentBytes: () => bytesAt(ms, collections.length),
    collect() {
      collections.push(ms);
      ms += collectMs;
    },
    collectYoung: () => undefined,
    collectAll: () => undefined,
  });
  return {
    collections,
    begin: () => watch.begin(),
    until(endMs: number): void {
      for (; ms < endMs; ms++) for (let i = 0; i < 256; i++) watch.look();
    },
  };
}

test("GarbageWatch collects only after the process has grown", () => {
  const { collections, until } = watched((ms, count) => (ms < 1000 || count > 0 ? 500 : 800) * MB);
  until(900);
  expect(collections).toEqual([]);
  until(5000);
  expect(collections).toHaveLength(1);
});

test("GarbageWatch.lookNow checks memory every 100 ms", () => {
  let bytes = 100 * MB;
  let ms = 0;
  let collections = 0;
  const watch = new GarbageWatch({
    nowMs: () => ms,
    residentBytes: () => bytes,
    collect: () => collections++,
    collectYoung: () => undefined,
    collectAll: () => undefined,
  });
  watch.lookNow();
  bytes += 128 * MB;
  ms += 99;
  watch.lookNow();
  expect(collections).toBe(0);
  ms += 1;
  watch.lookNow();
  expect(collections).toBe(1);
});

test("GarbageWatch.lookNow bounds the growth even if collections are slow", () => {
  let bytes = 0;
  let ms = 0;
  const collections: number[] = [];
  const watch = new GarbageWatch({
    nowMs: () => ms,
    residentBytes: () => bytes,
    collect() {
      collections.push(bytes);
      bytes = 0;
      ms += 1_000;
    },
    collectYoung: () => undefined,
    collectAll: () => undefined,
  });
  for (let i = 0; i < 100; i++, ms += 100, bytes += 64 * MB) watch.lookNow();
  expect(collections.length).toBeGreaterThan(10);
  expect(Math.max(...collections)).toBeLessThanOrEqual(512 * MB);
});

test("GarbageWatch measures growth from the memory after a collection", () => {
  // A gigabyte of live cells and no garbage.
  const { collections, until } = watched((ms) => (ms < 500 ? 100 : 1100) * MB);
  until(10_000);
  expect(collections).toHaveLength(1);
});

test("GarbageWatch spends at most a fifth of the time on collections", () => {
  const { collections, until } = watched((ms) => ms * MB, 700);
  until(50_000);
  expect(collections.length).toBeGreaterThan(3);
  expect(collections.length * 700).toBeLessThanOrEqual(10_700);
});

test("GarbageWatch reads the memory at most every hundred milliseconds", () => {
  let asked = 0;
  const { until } = watched(() => {
    asked++;
    return 0;
  });
  until(1000);
  expect(asked).toBe(10);
});

test("GarbageWatch collects during a long run but not during short ones", () => {
  const { begin, collections, until } = watched((ms) => ms * MB);
  for (let ms = 250; ms <= 5_000; ms += 250) {
    begin();
    until(ms);
  }
  expect(collections).toEqual([]);
  until(6_000);
  expect(collections.length).toBeGreaterThan(0);
});
