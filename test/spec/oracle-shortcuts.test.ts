import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import {
  decodePrevalidated,
  encodePrevalidated,
  validateTransaction,
} from "#engine/execution/index.ts";
import { expectScenario, withoutInnerData } from "#test/helpers/scenario/expected.ts";
import { rememberedState } from "#test/helpers/scenario/remembered-state.ts";
import { VM_MEMORY_BYTES } from "#test/helpers/scenario/run.ts";
import type { Prevalidation } from "#test/helpers/scenario/step.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { newestScenarioNames, scenarioNames } from "../helpers/oracle.ts";
import { sharedTest } from "../helpers/shared.ts";

const vm = createCairoVm({ maxMemoryBytes: VM_MEMORY_BYTES });

/** Validates like admission; the result is encoded and decoded as between threads. */
class Admission implements Prevalidation {
  found = 0;
  reuses = 0;

  find: Prevalidation["find"] = (hashed, block, state) => {
    const { transaction } = hashed;
    if (transaction.type !== "INVOKE" || transaction.version === 0) return undefined;
    const outcome = validateTransaction(vm, state, block, hashed);
    if (outcome.kind !== "valid" || outcome.prevalidated === undefined) return undefined;
    this.found++;
    return decodePrevalidated(encodePrevalidated(outcome.prevalidated), transaction.calldata);
  };

  reused(): void {
    this.reuses++;
  }
}

const admission = new Admission();

describe("scenarios with admission's validations and cached state match the reference engine", () => {
  // The half that `oracle-lost-origin` does not have in a quick run.
  const newest = newestScenarioNames().filter((_, index) => index % 2 === 1);
  for (const name of bySize({ quick: newest, full: scenarioNames() })) {
    sharedTest(name, () => {
      const options = { vm, prevalidated: admission, behind: rememberedState };
      expectScenario(name, options, withoutInnerData);
    });
  }

  sharedTest("and reuse most of the validations", () => {
    expect(admission.found).toBeGreaterThan(bySize({ quick: 35, full: 300 }));
    expect(admission.reuses / admission.found).toBeGreaterThan(0.8);
  });
});
