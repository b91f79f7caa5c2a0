import { expect, test } from "bun:test";
import { GarbageWatch } from "#app/node/threads/health/garbage-watch.ts";

/**
 * Shows a watch these values of resident memory, with `workMs` of work before each.
 * @returns the values at which a collection was due, in MiB
 */
function collectedAt(residentMib: readonly number[], workMs = 60): readonly number[] {
  const watch = new GarbageWatch();
  return residentMib.filter((mib, index) => watch.isDue(mib * 2 ** 20, (index + 1) * workMs));
}

test("collects when memory has grown by 128 MiB", () => {
  expect(collectedAt([500, 600, 627, 629])).toEqual([629]);
});

test("measures growth from the lowest value since the last collection", () => {
  expect(collectedAt([800, 500, 629, 700, 758, 600, 727, 729])).toEqual([629, 758, 729]);
});

test("does not collect in a small process, however fast it grows", () => {
  expect(collectedAt([100, 300, 511])).toEqual([]);
});

test("does not collect in a thread that is almost idle", () => {
  expect(collectedAt([500, 1_000, 1_500], 1)).toEqual([]);
});

test("collects after 50 ms of work, and not before", () => {
  expect(collectedAt([500, 693], 25)).toEqual([693]);
  expect(collectedAt([500, 693], 24)).toEqual([]);
});
