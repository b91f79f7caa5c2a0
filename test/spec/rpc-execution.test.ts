import { describe, expect } from "bun:test";
import { readdirSync } from "node:fs";
import type { JsonPieces, JsonValue } from "#base/codec/index.ts";
import { BlockTracer } from "#app/node/query/block-tracer.ts";
import { TRACE_LIMITS } from "#app/node/query/trace-limits.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import {
  estimateFee,
  estimateMessageFee,
  type EstimateOutcome,
  type MessageFeeOutcome,
  type SimulationOutcome,
  simulateTransactions,
} from "#engine/execution/index.ts";
import type { SpecVersion } from "#api/rpc/spec/version.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { jsonTextOf } from "#test/helpers/json-text.ts";
import { RECORDED } from "#test/helpers/recorded-answers.ts";
import {
  blockOf,
  DEPLOY_ACCOUNT_QUERY,
  integrationWorld,
  messageWorld,
  recordedWorld,
  type RecordedWorld,
} from "#test/helpers/recorded-execution.ts";
import { fixturePath, readFixtureJson, sharedTest } from "#test/helpers/shared.ts";

const vm = createCairoVm();

/** Recorded responses that {@link compare} has compared. */
const compared: string[] = [];

/** Compares a response with the recorded one, in every version that has the file. */
function compare(
  file: string,
  answer: (spec: SpecVersion) => JsonValue | JsonPieces,
  except = "",
): void {
  for (const { folder, spec } of RECORDED) {
    const path = `${folder}/${file}`;
    if (path === except || !recordedFiles().includes(path)) continue;
    const actual: unknown = JSON.parse(jsonTextOf(answer(spec)));
    expect({ path, answer: actual }).toEqual({
      path,
      answer: readFixtureJson("rpc-execution", folder, file),
    });
    if (!compared.includes(path)) compared.push(path);
  }
}

let files: readonly string[] | undefined;

/** Paths of all recorded responses that require execution. */
function recordedFiles(): readonly string[] {
  files ??= readdirSync(fixturePath("rpc-execution"), { recursive: true, encoding: "utf8" }).filter(
    (path) => /^[^/]+\/(fee_estimates|simulations|traces)\/.*\.json$/.test(path),
  );
  return files;
}

/** Returns the outcome, which must be successful. */
function good<T extends EstimateOutcome | MessageFeeOutcome | SimulationOutcome>(
  outcome: T,
): Extract<T, { kind: "ok" }> {
  expect(outcome).toMatchObject({ kind: "ok" });
  return outcome as Extract<T, { kind: "ok" }>;
}

const CLASS = "simulations/declare_deploy_and_invoke_sierra_class";

const SIMULATIONS: readonly {
  readonly file: string;
  readonly world: () => RecordedWorld;
  readonly skip?: "validate" | "fee charge";
}[] = [
  { file: CLASS, world: () => recordedWorld("pathfinder_simulation_0_13_1_1") },
  {
    file: `${CLASS}_with_skip_fee_charge`,
    world: () => recordedWorld("pathfinder_simulation_0_13_1_1"),
    skip: "fee charge",
  },
  {
    file: `${CLASS}_with_skip_validate`,
    world: () => recordedWorld("pathfinder_simulation_0_13_1_1"),
    skip: "validate",
  },
  {
    file: `${CLASS}_starknet_0_13_4`,
    world: () => recordedWorld("pathfinder_simulation_0_13_4"),
  },
  {
    file: `${CLASS}_starknet_0_14_0`,
    world: () => recordedWorld("pathfinder_simulation_0_14_0"),
  },
  {
    file: "simulations/simulate_transaction",
    world: () =>
      recordedWorld("pathfinder_simulation_0_13_1_1", {
        version: "0.13.0",
        transactions: [DEPLOY_ACCOUNT_QUERY],
      }),
    skip: "fee charge",
  },
  { file: "simulations/declare_and_deploy_integration", world: integrationWorld },
];

describe("simulations match another node in every field", () => {
  for (const { file, world, skip } of SIMULATIONS) {
    sharedTest(file, () => {
      const { block, state, transactions } = world();
      const options = { skipValidate: skip === "validate", skipFeeCharge: skip === "fee charge" };
      const { simulations } = good(simulateTransactions(vm, state, block, transactions, options));
      compare(`${file}.json`, (spec) => spec.simulations({ simulations }));
    });
  }
});

/** Over 0.8.0 that node returns an empty pending block in place of its pre-confirmed one. */
const EMPTY_PENDING = "0.8.0/traces/multiple_pre_confirmed_txs.json";

describe("block traces match another node in every field", () => {
  for (const [file, scenario] of [
    ["traces/multiple_txs.json", "pathfinder_simulation_0_13_1_1"],
    ["traces/multiple_pre_confirmed_txs.json", "pathfinder_simulation_0_14_0"],
  ] as const) {
    sharedTest(file, () => {
      const { transactions } = recordedWorld("pathfinder_simulation_0_13_1_1", {
        chainId: "SN_SEPOLIA",
      });
      const { block, state } = recordedWorld(scenario, { chainId: "SN_SEPOLIA", blockNumber: 2 });
      const tracer = new BlockTracer({
        vm,
        contextOf: () => block,
        cancellation: { isStopped: () => false, noted: (outcome) => outcome },
        limits: TRACE_LIMITS,
      });
      const traced = tracer.traceBlock(
        blockOf({ block, state, transactions: transactions.slice(0, 3) }),
      );
      const traces = traced.kind === "ok" ? traced.traces : [];
      expect(traces).toHaveLength(3);
      compare(file, (spec) => spec.blockTraces({ traces }), EMPTY_PENDING);
      compare(file, (spec) => spec.blockTraces({ traces: traces.values() }), EMPTY_PENDING);
    });
  }
});

describe("estimates match another node in every field", () => {
  for (const [version, family, skipValidate] of [
    ["0_13_1", "pathfinder_fees", false],
    ["0_13_1_1", "pathfinder_fees", false],
    ["0_13_2", "pathfinder_fees", false],
    ["0_13_2_1", "pathfinder_fees", false],
    ["0_13_4", "pathfinder_l2_fees", true],
    ["0_14_0", "pathfinder_l2_fees", true],
  ] as const) {
    const file = `fee_estimates/declare_deploy_invoke_sierra_${version}.json`;
    sharedTest(file, () => {
      const { block, state, transactions } = recordedWorld(`${family}_${version}`);
      const { estimates } = good(estimateFee(vm, state, block, transactions, { skipValidate }));
      compare(file, (spec) => spec.feeEstimates(estimates));
    });
  }

  sharedTest("fee_estimates/full.json", () => {
    const { block, state, message } = messageWorld();
    const { estimate } = good(estimateMessageFee(vm, state, block, message));
    compare("fee_estimates/full.json", (spec) => spec.messageFee(estimate));
  });
});

sharedTest("conformance table counts every recorded response that requires execution", () => {
  const leftOut = recordedFiles().filter((path) => !compared.includes(path));
  expectSuite("executed", { compared: compared.length, leftOut });
});
