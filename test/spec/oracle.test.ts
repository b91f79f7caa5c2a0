import { describe, expect } from "bun:test";
import { readdirSync } from "node:fs";
import { createCairoVm } from "#engine/cairo/index.ts";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { runScenarioFile, VM_MEMORY_BYTES } from "#test/helpers/scenario/run.ts";
import {
  type OracleDiff,
  type OracleResult,
  readResult,
  readScenario,
  scenarioPath,
} from "../helpers/oracle.ts";
import { expectSuite } from "../helpers/conformance/check.ts";
import { leftOutOf } from "../helpers/conformance/oracle-left-out.ts";
import { fixturePath, SHARED, sharedTest } from "../helpers/shared.ts";

const names =
  SHARED === undefined
    ? ["all scenarios"]
    : readdirSync(fixturePath("oracle"))
        .flatMap((file) => /^(.*)\.result\.json$/.exec(file)?.[1] ?? [])
        .sort();

interface Run {
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  readonly state_diff: unknown;
  readonly block_end: unknown;
}

const vm = createCairoVm({ maxMemoryBytes: VM_MEMORY_BYTES });

/** The steps that are left out, with what they changed in the reference engine. */
function assumedSteps(name: string, result: OracleResult): Map<number, StateDiff> {
  const scenario = readScenario(name);
  const steps = leftOutOf(name);
  return new Map(
    steps.map((index) => {
      const { call } = scenario.steps[index] ?? {};
      const isUndone = call !== undefined && call.commit !== true;
      return [index, diffOf(isUndone ? undefined : result.steps[index]?.state_diff)];
    }),
  );
}

function feltMap(values: Readonly<Record<string, string>> | undefined): Map<Felt, Felt> {
  return new Map(Object.entries(values ?? {}).map(([key, value]) => [BigInt(key), BigInt(value)]));
}

function diffOf(diff: OracleDiff | undefined): StateDiff {
  return {
    ...EMPTY_STATE_DIFF,
    storageDiffs: new Map(
      Object.entries(diff?.storage_diffs ?? {}).map(([address, cells]) => [
        BigInt(address),
        feltMap(cells),
      ]),
    ),
    nonces: feltMap(diff?.nonces),
    deployedContracts: feltMap(diff?.deployed_contracts),
  };
}

describe("scenarios give the reference engine's results field by field", () => {
  for (const name of names) {
    sharedTest(name, () => {
      const result = readResult(name);
      const assumed = assumedSteps(name, result);
      const run = runScenarioFile(scenarioPath(name), { vm, assumed }) as unknown as Run;
      for (const [index, expected] of result.steps.entries()) {
        if (assumed.has(index)) continue;
        // What a step adds to the block depends on what the steps before it have touched.
        const isMarginal = [...assumed.keys()].some((earlier) => earlier < index);
        const weights = isMarginal ? { bouncer_weights: null } : {};
        expect({ ...run.steps[index], ...weights }).toEqual({ ...expected, ...weights } as never);
      }
      if (assumed.size > 0) return;
      expect(run.state_diff).toEqual(result.state_diff);
      expect(run.block_end).toEqual(result.block_end);
    });
  }
});

describe("what is left out", () => {
  sharedTest("is what the reference engine panics at, and what has proof facts", () => {
    for (const name of names) {
      const { steps } = readResult(name);
      const sent = readScenario(name).steps;
      const left = steps.flatMap(({ outcome }, index) =>
        outcome === "panic" || (sent[index]?.tx?.proof_facts?.length ?? 0) > 0 ? [index] : [],
      );
      expect({ name, steps: left }).toEqual({ name, steps: [...leftOutOf(name)] });
    }
  });

  sharedTest("is counted in the table of conformance, all other steps are compared", () => {
    const leftOut: string[] = [];
    const inPart: string[] = [];
    let all = 0;
    for (const name of names) {
      const left = leftOutOf(name);
      const { steps } = readResult(name);
      all += steps.length;
      leftOut.push(...left.map((index) => `${name}[${index}]`));
      if (left.length === 0) continue;
      const later = [...steps.keys()].slice((left[0] ?? 0) + 1).filter((i) => !left.includes(i));
      inPart.push(...later.map((index) => `step ${name}[${index}]`), `end ${name}`);
    }
    expectSuite("scenarios", { compared: all - leftOut.length, leftOut, inPart });
  });
});
