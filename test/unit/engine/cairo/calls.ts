import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BuiltinName } from "#protocol/versions/index.ts";
import { type CasmClass, casmClassFromJson } from "#protocol/chain/index.ts";
import type { CairoVm, RunOutcome } from "#engine/cairo/index.ts";
import { readResult, readScenario, scenarioPath } from "#test/helpers/oracle.ts";
import { readFixtureJson } from "#test/helpers/shared.ts";
import { NO_SYSCALLS } from "./no-syscalls.ts";

export { NO_SYSCALLS } from "./no-syscalls.ts";

/** A call in the reference engine's results, limited to what the machine determines. */
export interface RecordedCall {
  readonly name: string;
  readonly classHash: string;
  readonly casm: CasmClass;
  readonly entryPointOffset: number;
  readonly builtins: readonly BuiltinName[];
  readonly calldata: readonly bigint[];
  readonly initialGas: bigint;
  readonly builtinCosts: readonly bigint[];
  readonly result: readonly bigint[];
  readonly failed: boolean;
  readonly isSierraGas: boolean;
  readonly gasConsumed: bigint;
  readonly steps: number;
  readonly memoryHoles: number;
  readonly primitiveCounters: Readonly<Record<string, number>>;
}

interface JsonCall {
  readonly class_hash: string;
  readonly entry_point_type: "EXTERNAL" | "L1_HANDLER" | "CONSTRUCTOR";
  readonly entry_point_selector: string;
  readonly calldata: readonly string[];
  readonly result: readonly string[];
  readonly failed: boolean;
  readonly tracked_resource: string;
  readonly initial_gas: number;
  readonly gas_consumed: number;
  readonly vm_resources: { readonly n_steps: number; readonly n_memory_holes: number };
  readonly builtin_counters: Readonly<Record<string, number>>;
  readonly syscalls: Readonly<Record<string, unknown>>;
  readonly inner_calls: readonly JsonCall[];
}

const COST_NAMES = ["pedersen", "bitwise", "ecop", "poseidon", "add_mod", "mul_mod", "blake"];

/** Gas that is charged for a call before its first instruction. */
export const ENTRY_BUDGET = 10_000n;

const classes = new Map<string, CasmClass>();

function loadCasm(path: string): CasmClass {
  const known = classes.get(path);
  if (known !== undefined) return known;
  const casm = casmClassFromJson(readFileSync(path, "utf8"));
  classes.set(path, casm);
  return casm;
}

/** All calls of a scenario that make no syscall, inner calls included. */
export function recordedCalls(scenario: string): RecordedCall[] {
  const folder = dirname(scenarioPath(scenario));
  const { classes: listed } = readScenario(scenario) as unknown as {
    readonly classes: readonly { readonly class_hash?: string; readonly casm?: string }[];
  };
  const byHash = new Map<string, CasmClass>();
  for (const { class_hash: hash, casm } of listed) {
    if (hash !== undefined && casm !== undefined) byHash.set(hash, loadCasm(resolve(folder, casm)));
  }
  const { protocol_version: version, steps } = readResult(scenario) as unknown as {
    readonly protocol_version: string;
    readonly steps: readonly {
      readonly name?: string;
      readonly calls?: Readonly<Record<string, JsonCall | null>>;
    }[];
  };
  const costs = builtinCosts(version);
  const calls: RecordedCall[] = [];
  const visit = (name: string, call: JsonCall): void => {
    for (const inner of call.inner_calls) visit(`${name} > inner`, inner);
    const casm = byHash.get(call.class_hash);
    if (casm === undefined || Object.keys(call.syscalls).length > 0) return;
    const selector = BigInt(call.entry_point_selector);
    const entry = casm.entryPoints[call.entry_point_type].find(
      (each) => each.selector === selector,
    );
    if (entry === undefined) return;
    calls.push({
      name,
      classHash: call.class_hash,
      casm,
      entryPointOffset: entry.offset,
      builtins: entry.builtins,
      calldata: call.calldata.map(BigInt),
      initialGas: BigInt(call.initial_gas),
      builtinCosts: costs,
      result: call.result.map(BigInt),
      failed: call.failed,
      isSierraGas: call.tracked_resource === "sierra_gas",
      gasConsumed: BigInt(call.gas_consumed),
      steps: call.vm_resources.n_steps,
      memoryHoles: call.vm_resources.n_memory_holes,
      primitiveCounters: call.builtin_counters,
    });
  };
  for (const step of steps) {
    for (const call of Object.values(step.calls ?? {})) {
      if (call !== null) visit(step.name ?? "", call);
    }
  }
  return calls;
}

function builtinCosts(version: string): bigint[] {
  const file = `blockifier_versioned_constants_${version.replaceAll(".", "_")}.json`;
  const constants = readFixtureJson("versioned-constants", file) as {
    readonly os_constants: { readonly builtin_gas_costs: Readonly<Record<string, number>> };
  };
  return COST_NAMES.map((name) => BigInt(constants.os_constants.builtin_gas_costs[name] ?? 0));
}

/** Runs a recorded call, optionally with other calldata. */
export function runCall(
  vm: CairoVm,
  call: RecordedCall,
  calldata: readonly bigint[] = call.calldata,
  maxSteps = 10_000_000,
): RunOutcome {
  return vm.run({
    program: vm.prepare(call.casm),
    entryPointOffset: call.entryPointOffset,
    builtins: call.builtins,
    gas: call.initialGas - ENTRY_BUDGET,
    calldata,
    builtinCosts: call.builtinCosts,
    maxSteps,
    countHoles: true,
    host: NO_SYSCALLS,
  });
}
