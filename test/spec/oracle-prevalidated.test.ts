import { describe, expect } from "bun:test";
import { readdirSync } from "node:fs";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { CairoVm } from "#engine/cairo/types.ts";
import {
  decodePrevalidated,
  encodePrevalidated,
  validateTransaction,
} from "#engine/execution/index.ts";
import { runScenarioFile, VM_MEMORY_BYTES } from "#test/helpers/scenario/run.ts";
import type { Prevalidation } from "#test/helpers/scenario/step.ts";
import { scenarioPath } from "../helpers/oracle.ts";
import { fixturePath, SHARED, sharedTest } from "../helpers/shared.ts";

/** Families with many kinds of validation, bounds and failures. */
const FAMILIES = [
  "accounts",
  "bound_accounts",
  "exact_bounds",
  "execution_info",
  "faulty_validate",
  "fuzz_reverts",
  "prices",
  "stack_traces",
  "transfers",
] as const;

const machine = createCairoVm({ maxMemoryBytes: VM_MEMORY_BYTES });

/** The machine with a count of what it is told to run. */
class CountingVm {
  runs = 0;
  readonly vm: CairoVm = {
    memory: machine.memory,
    prepare: machine.prepare.bind(machine),
    runLegacy: machine.runLegacy.bind(machine),
    run: (run) => {
      this.runs++;
      return machine.run(run);
    },
  };
}

/** Validates as admission does; the result goes the way between threads. */
const admit: Prevalidation = (hashed, block, state) => {
  const { transaction } = hashed;
  if (transaction.type !== "INVOKE" || transaction.version === 0) return undefined;
  const outcome = validateTransaction(machine, state, block, hashed);
  if (outcome.kind !== "valid" || outcome.prevalidated === undefined) return undefined;
  return decodePrevalidated(encodePrevalidated(outcome.prevalidated), transaction.calldata);
};

function namesOf(family: string): string[] {
  if (SHARED === undefined) return [family];
  const pattern = new RegExp(`^(${family}_0_1[34]_.*)\\.result\\.json$`);
  return readdirSync(fixturePath("oracle"))
    .flatMap((file) => pattern.exec(file)?.[1] ?? [])
    .sort();
}

describe("scenarios give the same results when admission's validations are used", () => {
  for (const family of FAMILIES) {
    sharedTest(
      family,
      () => {
        const plain = new CountingVm();
        const reusing = new CountingVm();
        for (const name of namesOf(family)) {
          const path = scenarioPath(name);
          const expected = runScenarioFile(path, { vm: plain.vm });
          const actual = runScenarioFile(path, { vm: reusing.vm, prevalidated: admit });
          expect({ name, result: actual }).toEqual({ name, result: expected });
        }
        // Otherwise this would compare nothing.
        expect(reusing.runs).toBeLessThan(plain.runs);
      },
      60_000,
    );
  }
});
