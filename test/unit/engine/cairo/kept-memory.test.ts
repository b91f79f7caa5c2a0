import { expect, test } from "bun:test";
import { createRetainedMemory } from "#engine/cairo/index.ts";
import { RetainedMemory } from "#engine/cairo/kept-memory.ts";

const MIB = 2 ** 20;

test("RetainedMemory shares the limit of the process between machines", () => {
  const kept = createRetainedMemory();
  const one = new RetainedMemory(kept, 100 * MIB);
  const other = new RetainedMemory(kept, 100 * MIB);
  expect(one.keep(60 * MIB)).toBe(true);
  expect(other.keep(40 * MIB + 1)).toBe(false);
  expect(other.keep(40 * MIB)).toBe(true);
  expect(one.keep(60 * MIB)).toBe(true);
  expect(one.keep(61 * MIB)).toBe(false);
  expect(kept[0]).toBe(100);
});

test("RetainedMemory releases memory for other machines", () => {
  const kept = createRetainedMemory();
  const one = new RetainedMemory(kept, 100 * MIB);
  const other = new RetainedMemory(kept, 100 * MIB);
  one.keep(100 * MIB);
  expect(other.keep(MIB)).toBe(false);
  expect(one.keep(99 * MIB)).toBe(true);
  expect(other.keep(MIB)).toBe(true);
  one.keep(0);
  other.keep(0);
  expect(kept[0]).toBe(0);
});
