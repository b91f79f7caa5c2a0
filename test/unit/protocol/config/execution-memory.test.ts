import { expect, test } from "bun:test";
import {
  defaultExecutionMemoryMib,
  FULL_EXECUTION_MEMORY_MIB,
  MAX_EXECUTION_MEMORY_MIB,
  MIN_EXECUTION_MEMORY_MIB,
} from "#protocol/config/index.ts";

const GIB = 2 ** 30;

test.each([
  [0.1 * GIB, MIN_EXECUTION_MEMORY_MIB],
  [GIB, 256],
  [8 * GIB, 2048],
  [13.5 * GIB, FULL_EXECUTION_MEMORY_MIB],
  [64 * GIB, FULL_EXECUTION_MEMORY_MIB],
])("defaultExecutionMemoryMib of %p bytes is %p MiB", (bytes, mib) => {
  expect(defaultExecutionMemoryMib(bytes)).toBe(mib);
});

test("the maximum execution memory is at least the amount that gas can use up", () => {
  expect(MAX_EXECUTION_MEMORY_MIB).toBeGreaterThanOrEqual(FULL_EXECUTION_MEMORY_MIB);
});
