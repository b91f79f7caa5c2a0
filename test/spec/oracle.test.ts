import { describe, expect } from "bun:test";
import { readdirSync } from "node:fs";
import { createCairoVm } from "#cairo/index.ts";
import { EMPTY_STATE_DIFF, type StateDiff } from "#chain/index.ts";
import type { Felt } from "#primitives/index.ts";
import { runScenarioFile, VM_MEMORY_BYTES } from "../../scripts/scenario-lib/run.ts";
import {
  type OracleDiff,
  type OracleResult,
  type OracleScenario,
  readResult,
  readScenario,
  scenarioPath,
} from "../helpers/oracle.ts";
import { fixturePath, SHARED, sharedTest } from "../helpers/shared.ts";

/**
 * Families of scenarios, compared in all versions that have results. Others need what this engine
 * lacks: client-side proofs, or compiling Sierra.
 */
const FAMILIES = [
  "account_deployments",
  "accounts",
  "balances",
  "bouncer",
  "bound_accounts",
  "builtins",
  "cairo0_accounts",
  "cairo0_calls",
  "cairo0_security",
  "casm_migration",
  "depth_limit",
  "event_limits",
  "exact_bounds",
  "execution_info",
  "faulty_validate",
  "fee_shapes_blob",
  "fee_shapes_calldata",
  "fuzz_reverts",
  "l1_handlers",
  "meta_tx",
  "out_of_gas",
  "pathfinder_fees",
  "pathfinder_simulation",
  "pathfinder_simulation_no_fee",
  "pathfinder_simulation_no_validate",
  "prices",
  "stack_traces",
  "step_limits",
  "syscalls",
  "syscalls_cairo_steps",
  "sweep",
  "transfers",
  "validate_mode",
  "declares",
] as const;

interface Run {
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  readonly state_diff: unknown;
  readonly block_end: unknown;
}

const vm = createCairoVm({ maxMemoryBytes: VM_MEMORY_BYTES });

/**
 * Steps where the reference engine itself gave up or that count Blake opcodes, which this engine
 * does not show, with what they changed.
 */
function unsupportedSteps(scenario: OracleScenario, result: OracleResult): Map<number, StateDiff> {
  const steps = new Map<number, StateDiff>();
  for (const [index, step] of scenario.steps.entries()) {
    const expected = result.steps[index];
    const isPanic = expected?.outcome === "panic";
    if (!isPanic && !JSON.stringify(expected).includes("blake_opcode")) continue;
    const isUndone = step.call !== undefined && step.call.commit !== true;
    steps.set(index, diffOf(isUndone ? undefined : expected?.state_diff));
  }
  return steps;
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

function namesOf(family: string): string[] {
  if (SHARED === undefined) return [family];
  const pattern = new RegExp(`^(${family}_0_1[34]_.*)\\.result\\.json$`);
  return readdirSync(fixturePath("oracle"))
    .flatMap((file) => pattern.exec(file)?.[1] ?? [])
    .sort();
}

describe("scenarios give the reference engine's results field by field", () => {
  for (const name of FAMILIES.flatMap(namesOf)) {
    sharedTest(name, () => {
      const result = readResult(name);
      const assumed = unsupportedSteps(readScenario(name), result);
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
