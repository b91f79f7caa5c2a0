import { expect, test } from "bun:test";
import { machineSpanBytes } from "#app/node/threads/health/machine-space.ts";

const GIB = 2 ** 30;

test("all machines of a node fit into the address space that the engine gives a process", () => {
  for (const computerGib of [2, 4, 8, 16, 24, 64]) {
    for (const [queryThreads, admissionThreads, machines] of [
      [2, 1, 4],
      [3, 1, 5],
      [7, 4, 13],
      [15, 1, 17],
      [15, 16, 33],
    ] as const) {
      const spanBytes = machineSpanBytes({ admissionThreads, queryThreads }, computerGib * GIB);
      const all = machines * (spanBytes + 512 * 2 ** 20);
      const isLeast = spanBytes === 128 * 2 ** 20;
      if (!isLeast) expect(all).toBeLessThanOrEqual(3 * computerGib * GIB);
      expect(spanBytes).toBeGreaterThanOrEqual(128 * 2 ** 20);
    }
  }
  expect(machineSpanBytes({ admissionThreads: 1, queryThreads: 2 }, 4 * GIB)).toBeGreaterThan(
    1.5 * GIB,
  );
});
