import { expect, test } from "bun:test";
import { RunGarbage } from "#engine/cairo/run-garbage.ts";

/** Simulates runs of a millisecond each and counts the collections. */
function watchedRuns(collectAllMs: number) {
  let ms = 0;
  const collections = { young: 0, all: 0 };
  const garbage = new RunGarbage({
    nowMs: () => ms,
    collectYoung: () => void collections.young++,
    collectAll() {
      collections.all++;
      ms += collectAllMs;
    },
  });
  return (count: number) => {
    for (let i = 0; i < count; i++, ms++) garbage.add();
    return collections;
  };
}

test("RunGarbage collects young objects every 256 runs and all objects every 4096", () => {
  const run = watchedRuns(1);
  expect(run(255)).toEqual({ young: 0, all: 0 });
  expect(run(1)).toEqual({ young: 1, all: 0 });
  expect(run(4096 - 257)).toEqual({ young: 15, all: 0 });
  expect(run(1)).toEqual({ young: 15, all: 1 });
  expect(run(4096)).toEqual({ young: 30, all: 2 });
});

test("RunGarbage spends at most a fiftieth of the time on full collections and falls back to young ones", () => {
  const { young, all } = watchedRuns(1000)(100 * 1024);
  expect(all).toBeGreaterThan(1);
  expect(all).toBeLessThanOrEqual(4);
  expect(young + all).toBe(400);
});
