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

test("collects when memory has grown by 192 MiB", () => {
  expect(collectedAt([500, 600, 691, 693])).toEqual([693]);
});

test("measures growth from the lowest value since the last collection", () => {
  expect(collectedAt([800, 500, 693, 800, 886, 600, 791, 793])).toEqual([693, 886, 793]);
});

test("does not collect in a small process, however fast it grows", () => {
  expect(collectedAt([100, 300, 511])).toEqual([]);
});

test("does not collect in a thread that is almost idle", () => {
  expect(collectedAt([500, 1_000, 1_500], 1)).toEqual([]);
});
