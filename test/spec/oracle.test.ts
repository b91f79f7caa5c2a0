import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { expectScenario } from "#test/helpers/scenario/expected.ts";
import { VM_MEMORY_BYTES } from "#test/helpers/scenario/run.ts";
import { expectSuite } from "../helpers/conformance/check.ts";
import { skippedStepsOf } from "../helpers/conformance/oracle-skipped-steps.ts";
import { readResult, readScenario, scenarioNames } from "../helpers/oracle.ts";
import { sharedTest } from "../helpers/shared.ts";

const names = scenarioNames();

const vm = createCairoVm({ maxMemoryBytes: VM_MEMORY_BYTES });

describe("scenarios match the reference engine in every field", () => {
  for (const name of names) {
    sharedTest(name, () => {
      expectScenario(name, { vm });
    });
  }
});

/** Steps of a result, without its state: whether the reference engine panics, and the proof facts sent. */
function stepsOf(name: string) {
  const sent = readScenario(name).steps;
  return readResult(name).steps.map(({ outcome }, index) => ({
    isPanic: outcome === "panic",
    proofFacts: sent[index]?.tx?.proof_facts?.length ?? 0,
  }));
}

const stepsByName = new Map<string, ReturnType<typeof stepsOf>>();

/** {@link stepsOf} a scenario, whose files are read once for all tests. */
function knownSteps(name: string): ReturnType<typeof stepsOf> {
  const steps = stepsByName.get(name) ?? stepsOf(name);
  stepsByName.set(name, steps);
  return steps;
}

describe("omitted scenario steps", () => {
  sharedTest("are those where the reference engine panics and those with proof facts", () => {
    for (const name of names) {
      const omitted = knownSteps(name).flatMap(({ isPanic, proofFacts }, index) =>
        isPanic || proofFacts > 0 ? [index] : [],
      );
      expect({ name, steps: omitted }).toEqual({ name, steps: [...skippedStepsOf(name)] });
    }
  });

  sharedTest("are counted in the conformance table, and all other steps are compared", () => {
    const leftOut: string[] = [];
    const inPart: string[] = [];
    let all = 0;
    for (const name of names) {
      const omitted = skippedStepsOf(name);
      const steps = knownSteps(name);
      all += steps.length;
      leftOut.push(...omitted.map((index) => `${name}[${index}]`));
      if (omitted.length === 0) continue;
      const later = [...steps.keys()]
        .slice((omitted[0] ?? 0) + 1)
        .filter((i) => !omitted.includes(i));
      inPart.push(...later.map((index) => `step ${name}[${index}]`), `end ${name}`);
    }
    expectSuite("scenarios", { compared: all - leftOut.length, leftOut, inPart });
  });
});
