import { expect, test } from "bun:test";
import { GarbageWatch } from "#app/node/machine/garbage-watch.ts";

/**
 * Shows a watch these values of resident memory, with `workMs` of work before each.
 *
 * @returns those at which it had garbage collected, in MiB
 */
function collectedAt(residentMib: readonly number[], workMs = 60): readonly number[] {
  const watch = new GarbageWatch();
  return residentMib.filter((mib, index) => watch.isDue(mib * 2 ** 20, (index + 1) * workMs));
}

test("garbage is collected when memory has grown by a quarter of a gibibyte", () => {
  expect(collectedAt([500, 700, 755, 757])).toEqual([757]);
});

test("growth counts from the lowest value, and again from each collection", () => {
  expect(collectedAt([800, 500, 757, 900, 1_014, 600, 855, 857])).toEqual([757, 1_014, 857]);
});

test("a small process is left alone however fast it grows", () => {
  expect(collectedAt([100, 300, 511])).toEqual([]);
});

test("a thread that does hardly anything collects nothing", () => {
  expect(collectedAt([500, 1_000, 1_500], 1)).toEqual([]);
});
