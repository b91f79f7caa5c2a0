import { basename, dirname } from "node:path";
import { readFileSync } from "node:fs";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { CairoVm } from "#engine/cairo/types.ts";
import { parseJson } from "#base/codec/index.ts";
import { NEWEST_PROTOCOL_VERSION } from "#protocol/versions/index.ts";
import { BlockExecutor } from "#engine/execution/index.ts";
import { type StateDiff } from "#protocol/chain/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import { compressStorage } from "../compress-storage.ts";
import { initialState } from "./initial-state.ts";
import type { rememberedState } from "./remembered-state.ts";
import { type Scenario, scenarioDecoder } from "./input.ts";
import { blockEndJson, classJson, type Json, stateDiffJson } from "./output.ts";
import { blockContext } from "./block.ts";
import { type Prevalidation, runStep } from "./step.ts";

/**
 * Memory limit of machines that run scenarios, in bytes: endless recursion fills memory until its
 * gas is used up, and the reference engine has no limit.
 */
export const VM_MEMORY_BYTES: number = 1536 * 2 ** 20;

/** Options of a run in addition to the scenario. */
export interface RunOptions {
  readonly vm?: CairoVm;
  /**
   * Changes to assume instead of executing a step, by its index: for comparing the steps after one
   * that this engine does not support.
   */
  readonly assumed?: ReadonlyMap<number, StateDiff>;
  /** Finds an earlier validation of a transaction, for use in its execution. */
  readonly prevalidated?: Prevalidation;
  /** Wraps the state as the executor sees it; by default unchanged. */
  readonly behind?: typeof rememberedState;
  /** Runs the start of the block, each step, and the end of the block; by default once. */
  readonly attempt?: <T>(work: () => T, executor: BlockExecutor) => T;
}

/** Reads a scenario file and runs it. */
export function runScenarioFile(path: string, options: RunOptions = {}): Json {
  const scenario = scenarioDecoder.decode(parseJson(readFileSync(path, "utf8")), "");
  return runScenario(scenario, dirname(path), basename(path, ".json"), options);
}

/** Runs all steps of a scenario on one block. @returns the engine's results */
export function runScenario(
  scenario: Scenario,
  base: string,
  defaultName: string,
  {
    vm = createCairoVm({ maxMemoryBytes: VM_MEMORY_BYTES }),
    assumed,
    prevalidated = NOT_VALIDATED,
    behind = (state) => ({ state, afterStep: () => undefined }),
    attempt = (work) => work(),
  }: RunOptions = {},
): Json {
  const version = scenario.block.protocol_version ?? NEWEST_PROTOCOL_VERSION;
  const block = blockContext(scenario, base, version);
  const { state: initial, classes } = initialState(scenario, base, version, block.feeTokens);
  const { state, afterStep } = behind(initial, block.info);
  const executor = new BlockExecutor(vm, state, block);
  const old = scenario.block.old_block;
  if (old !== undefined) {
    attempt(() => executor.begin({ number: Number(old.number), hash: old.hash }), executor);
  }
  const withCalls = scenario.output?.calls ?? true;
  const steps = scenario.steps.map((step, index) => {
    const changes = assumed?.get(index);
    if (changes === undefined) {
      const input = { step, index, base, block, executor, vm, withCalls, prevalidated };
      const result = attempt(() => runStep(input), executor);
      afterStep(index);
      return result;
    }
    assume(changes, executor, attempt);
    return { index, outcome: "assumed" };
  });
  const stateDiff = stateDiffJson(executor.stateDiff());
  const end = attempt(() => executor.finish(), executor);
  const { flags, os } = block.constants;
  const compressed = flags.enableStatefulCompression
    ? compressStorage(end.stateDiff.storageDiffs, executor.reader(), os.contractAddresses.alias)
    : null;
  return {
    scenario: scenario.name ?? defaultName,
    engine: "appchain",
    protocol_version: version,
    classes: classes.map(classJson),
    steps,
    state_diff: stateDiff,
    block_end: blockEndJson(end, compressed),
  };
}

const NOT_VALIDATED: Prevalidation = { find: () => undefined, reused: () => undefined };

/** Applies changes, of which a failed attempt leaves none. */
function assume(
  changes: StateDiff,
  executor: BlockExecutor,
  attempt: NonNullable<RunOptions["attempt"]>,
): void {
  const state = executor.state();
  const start = state.checkpoint();
  attempt(() => {
    try {
      applyChanges(state, changes);
    } catch (error) {
      state.revertTo(start);
      throw error;
    }
  }, executor);
}

function applyChanges(state: CachedState, diff: StateDiff): void {
  for (const [address, cells] of diff.storageDiffs) {
    for (const [key, value] of cells) state.setStorage(address, key, value);
  }
  for (const [address, nonce] of diff.nonces) state.setNonce(address, nonce);
  for (const classes of [diff.deployedContracts, diff.replacedClasses]) {
    for (const [address, classHash] of classes) state.setClassHash(address, classHash);
  }
}
