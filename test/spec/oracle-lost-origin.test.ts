import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { expectScenario } from "#test/helpers/scenario/expected.ts";
import { VM_MEMORY_BYTES } from "#test/helpers/scenario/run.ts";
import { UnreliableState, untilReliable } from "#test/helpers/scenario/unreliable-state.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { newestScenarioNames, scenarioNames } from "../helpers/oracle.ts";
import { sharedTest } from "../helpers/shared.ts";

const vm = createCairoVm({ maxMemoryBytes: VM_MEMORY_BYTES });

describe("scenarios in which each value is missing once match the reference engine", () => {
  let failures = 0;
  const newest = newestScenarioNames().filter((_, index) => index % 2 === 0);
  for (const name of bySize({ quick: newest, full: scenarioNames() })) {
    sharedTest(name, () => {
      let state: UnreliableState | undefined;
      expectScenario(name, {
        vm,
        behind: (initial) => ({
          state: (state = new UnreliableState(initial)),
          afterStep: () => undefined,
        }),
        attempt: untilReliable,
      });
      failures += state?.failures ?? 0;
    });
  }

  sharedTest("and fail at many places", () => {
    expect(failures).toBeGreaterThan(1_000);
  });
});
