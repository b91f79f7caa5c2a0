import { expect, test } from "bun:test";
import { GarbageWatch } from "#app/node/threads/health/garbage-watch.ts";

/**
 * Shows a watch these values of resident memory, with `workMs` of work before each.
 *
 * @returns those at which it had garbage collected, in MiB
 */
function collectedAt(residentMib: readonly number[], workMs = 60): readonly number[] {
  const watch = new GarbageWatch();
  return residentMib.filter((mib, index) => watch.isDue(mib * 2 ** 20, (index + 1) * workMs));
}

test("garbage is collected when memory has grown by 192 MiB", () => {
  expect(collectedAt([500, 600, 691, 693])).toEqual([693]);
});

test("growth counts from the lowest value, and again from each collection", () => {
  expect(collectedAt([800, 500, 693, 800, 886, 600, 791, 793])).toEqual([693, 886, 793]);
});

test("a small process is left alone however fast it grows", () => {
  expect(collectedAt([100, 300, 511])).toEqual([]);
});

test("a thread that does hardly anything collects nothing", () => {
  expect(collectedAt([500, 1_000, 1_500], 1)).toEqual([]);
});
