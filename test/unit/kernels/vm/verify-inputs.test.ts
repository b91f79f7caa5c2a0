import { expect, test } from "bun:test";
import { describeBuilds, emptyProgram } from "./builds.ts";

describeBuilds("verifyInputs", (kernel) => {
  test.each([
    ["nothing", [], "complete"],
    ["a whole instance", [0, 1], "complete"],
    ["one with its output", [0, 1, 2], "complete"],
    ["a part of one", [0], "too_few"],
    ["a whole one and a part of the next", [0, 1, 3], "too_few"],
    // The output counts as a cell, as in the reference machine.
    ["the same with an output", [0, 1, 2, 3], "missing"],
    ["a gap before a written cell", [0, 1, 2, 4], "missing"],
  ] as const)("recognises %s", (_, offsets, state) => {
    const placed = emptyProgram(kernel);
    expect(kernel.begin(placed, false)).toBe(true);
    try {
      const segment = kernel.addSegment("pedersen");
      for (const offset of offsets) kernel.write({ segment, offset }, 7n);
      expect(kernel.verifyInputs(segment)).toBe(state);
    } finally {
      kernel.end();
      kernel.unpin(placed);
    }
  });
});
