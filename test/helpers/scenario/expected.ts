import { expect } from "bun:test";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { skippedStepsOf } from "../conformance/oracle-skipped-steps.ts";
import {
  type OracleDiff,
  type OracleResult,
  readResult,
  readScenario,
  scenarioPath,
} from "../oracle.ts";
import { type RunOptions, runScenarioFile } from "./run.ts";

type StepFields = Readonly<Record<string, unknown>>;

interface Run {
  readonly steps: readonly StepFields[];
  readonly state_diff: unknown;
  readonly block_end: unknown;
}

/**
 * Runs a scenario of the reference engine: every field must match that engine's.
 *
 * @param compared - selects the compared fields of a step; by default all
 */
export function expectScenario(
  name: string,
  options: Omit<RunOptions, "assumed">,
  compared: (step: StepFields) => StepFields = (step) => step,
): void {
  const result = readResult(name);
  const assumed = assumedSteps(name, result);
  const run = runScenarioFile(scenarioPath(name), { ...options, assumed }) as unknown as Run;
  for (const [index, expected] of result.steps.entries()) {
    if (assumed.has(index)) continue;
    // A step's contribution to the block depends on what earlier steps have touched.
    const isMarginal = [...assumed.keys()].some((earlier) => earlier < index);
    const weights = isMarginal ? { bouncer_weights: null } : {};
    const actual = compared({ ...run.steps[index], ...weights });
    expect(actual).toEqual(compared({ ...expected, ...weights }));
  }
  if (assumed.size > 0) return;
  expect(run.state_diff).toEqual(result.state_diff);
  expect(run.block_end).toEqual(result.block_end);
}

interface Call {
  readonly inner_calls: readonly Call[];
}

/** A step without the arguments and results of validation's inner calls, which only traces keep. */
export function withoutInnerData(step: StepFields): StepFields {
  const calls = step["calls"] as { readonly validate?: Call | null } | undefined;
  const validate = calls?.validate ?? null;
  if (validate === null) return step;
  return { ...step, calls: { ...calls, validate: withBareInner(validate) } };
}

function withBareInner(call: Call): Call {
  const bare = call.inner_calls.map((inner) => ({
    ...withBareInner(inner),
    calldata: [],
    result: [],
  }));
  return { ...call, inner_calls: bare };
}

/** The skipped steps, with their changes in the reference engine. */
function assumedSteps(name: string, result: OracleResult): Map<number, StateDiff> {
  const scenario = readScenario(name);
  const steps = skippedStepsOf(name);
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
