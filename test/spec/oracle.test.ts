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

describe("omitted scenario steps", () => {
  sharedTest("are those where the reference engine panics and those with proof facts", () => {
    for (const name of names) {
      const { steps } = readResult(name);
      const sent = readScenario(name).steps;
      const omitted = steps.flatMap(({ outcome }, index) =>
        outcome === "panic" || (sent[index]?.tx?.proof_facts?.length ?? 0) > 0 ? [index] : [],
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
      const { steps } = readResult(name);
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
