import { expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { SimulationOutcome } from "#engine/execution/index.ts";
import { SPEC_0_10_2 } from "#api/rpc/spec/v0_10/index.ts";
import { TRACE_LIMITS } from "#app/node/query/trace-limits.ts";
import { DECLARE, INVOKE, QUERY_VERSION } from "#test/helpers/broadcasted.ts";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { SHARED, sharedTest } from "#test/helpers/shared.ts";
import { type TraceWorld, traceWorld } from "#test/helpers/trace-world.ts";
import { SENDER, STRK, transfer, type TransferOptions } from "#test/helpers/transfer-chain.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const PARAMS = { block_id: "latest", transactions: [INVOKE], simulation_flags: [] };

let world: TraceWorld | undefined;

/** Context of a chain, executed once, with an account whose next nonce is 5 at `latest`. */
const theContext = (): FullContext => (world ??= traceWorld()).context;

/** Transfer in the request format. */
function tx(nonce: bigint, options: TransferOptions = {}): JsonValue {
  const written = SPEC_0_10_2.transaction({
    transaction: transfer(nonce, options),
    options: { proofFacts: false },
  }) as Record<string, JsonValue>;
  const { transaction_hash: _, ...fields } = written;
  return fields;
}

/** Result for simulated transfers. */
const simulate = (transactions: readonly JsonValue[], ...flags: readonly string[]) =>
  resultOf(
    "simulateTransactions",
    { block_id: "latest", transactions, simulation_flags: flags },
    theContext(),
  );

/** Context whose simulations have this outcome, and the arguments they receive. */
function ending(outcome: SimulationOutcome, seen: unknown[][] = []): FullContext {
  const tracing: Partial<FullContext["tracing"]> = {
    simulate(...args) {
      seen.push(args);
      return outcome;
    },
  };
  return sampleContext({ tracing: tracing as FullContext["tracing"] });
}

const NO_READS = {
  storage: new Map([[2n, new Map([[3n, 4n]])]]),
  nonces: new Map([[2n, 5n]]),
  classHashes: new Map([[2n, 6n]]),
  compiledClassHashes: new Map([[6n, 7n]]),
  classes: new Map([
    [8n, false],
    [6n, true],
  ]),
};
const NOTHING: SimulationOutcome = { kind: "ok", simulations: [], initialReads: NO_READS };
const FAILED: SimulationOutcome = { kind: "failed", index: 1, reason: "no balance" };
const FAILED_CALL: SimulationOutcome = {
  ...FAILED,
  failure: {
    frames: [
      { contractAddress: 1n, classHash: 2n, selector: 3n },
      { contractAddress: 4n, classHash: 5n, selector: 6n },
    ],
    message: "inner",
    text: "outer: inner",
  },
};

sharedTest("returns traces and estimates of transactions in sequence", async () => {
  const answer = await simulate([tx(5n), tx(6n)]);
  expect(answer).toMatchObject(
    ["0x6", "0x7"].map((nonce) => ({
      fee_estimation: { unit: "FRI" },
      transaction_trace: {
        type: "INVOKE",
        validate_invocation: { contract_address: hexFromFelt(SENDER) },
        execute_invocation: { calls: [{ contract_address: hexFromFelt(STRK) }] },
        fee_transfer_invocation: { contract_address: hexFromFelt(STRK) },
        state_diff: { nonces: [{ contract_address: hexFromFelt(SENDER), nonce }] },
      },
    })),
  );
});

sharedTest("skips validation and the signature check with SKIP_VALIDATE", async () => {
  const [only] = (await simulate([tx(5n, { signature: [] })], "SKIP_VALIDATE")) as [
    { transaction_trace: object },
  ];
  expect(only.transaction_trace).not.toHaveProperty("validate_invocation");
  expect(only.transaction_trace).toHaveProperty("fee_transfer_invocation");
});

sharedTest("omits the fee transfer with SKIP_FEE_CHARGE", async () => {
  const [only] = (await simulate([tx(5n)], "SKIP_FEE_CHARGE")) as [{ transaction_trace: object }];
  expect(only.transaction_trace).toHaveProperty("validate_invocation");
  expect(only.transaction_trace).not.toHaveProperty("fee_transfer_invocation");
});

sharedTest("charges no fees on a chain without fees", async () => {
  const { context } = traceWorld({ chargeFees: false });
  const params = { block_id: "latest", transactions: [tx(5n)], simulation_flags: [] };
  const [only] = (await resultOf("simulateTransactions", params, context)) as [
    { transaction_trace: object },
  ];
  expect(only.transaction_trace).not.toHaveProperty("fee_transfer_invocation");
});

sharedTest("rejects a request whose traces exceed the memory limit", async () => {
  const limits = { ...TRACE_LIMITS, maxTraceBytes: 20_000 };
  const { context } = traceWorld({ limits });
  const simulated = (count: number) => ({
    block_id: "latest",
    transactions: Array.from({ length: count }, (_, i) => tx(5n + BigInt(i))),
    simulation_flags: [],
  });
  expect(await resultOf("simulateTransactions", simulated(1), context)).toHaveLength(1);
  expect(await errorOf("simulateTransactions", simulated(3), context)).toMatchObject({
    data: expect.stringContaining("exceed the memory limit"),
  });
});

sharedTest("returns the trace of a reverted transaction with the reason", async () => {
  expect(await simulate([tx(5n, { amount: 10n ** 31n })])).toMatchObject([
    {
      transaction_trace: {
        execute_invocation: { revert_reason: expect.stringContaining("insufficient balance") },
      },
    },
  ]);
});

sharedTest("fails with the index and frames of a failing transaction", async () => {
  const transactions = [tx(5n), tx(6n, { signature: [1n, 2n] })];
  const params = { block_id: "latest", transactions, simulation_flags: [] };
  expect(await errorOf("simulateTransactions", params, theContext())).toMatchObject({
    ...errorObject("TRANSACTION_EXECUTION_ERROR"),
    data: {
      transaction_index: 1,
      execution_error: { contract_address: hexFromFelt(SENDER), error: expect.any(String) },
    },
  });
});

sharedTest("adds the initial reads with RETURN_INITIAL_READS", async () => {
  const answer = await simulate([tx(5n)], "RETURN_INITIAL_READS");
  expect(answer).toMatchObject({
    simulated_transactions: (await simulate([tx(5n)])) as unknown[],
    initial_reads: { nonces: [{ contract_address: hexFromFelt(SENDER), nonce: "0x5" }] },
  });
});

test("returns initial reads in ascending order", async () => {
  const params = { ...PARAMS, simulation_flags: ["RETURN_INITIAL_READS"] };
  expect(await resultOf("simulateTransactions", params, ending(NOTHING))).toEqual({
    simulated_transactions: [],
    initial_reads: {
      storage: [{ contract_address: "0x2", key: "0x3", value: "0x4" }],
      nonces: [{ contract_address: "0x2", nonce: "0x5" }],
      class_hashes: [{ contract_address: "0x2", class_hash: "0x6" }],
      declared_contracts: [
        { class_hash: "0x6", is_declared: true },
        { class_hash: "0x8", is_declared: false },
      ],
    },
  });
});

test.each([
  [[], { skipValidate: false, skipFeeCharge: false }],
  [["SKIP_VALIDATE"], { skipValidate: true, skipFeeCharge: false }],
  [["SKIP_FEE_CHARGE"], { skipValidate: false, skipFeeCharge: true }],
  [["SKIP_FEE_CHARGE", "SKIP_VALIDATE"], { skipValidate: true, skipFeeCharge: true }],
] as const)("passes on the flags %j", async (simulation_flags, options) => {
  const seen: unknown[][] = [];
  await resultOf("simulateTransactions", { ...PARAMS, simulation_flags }, ending(NOTHING, seen));
  expect(seen[0]?.[3]).toEqual(options);
});

test("allows omitted flags, for named and positional parameters", async () => {
  const { simulation_flags: _, ...named } = PARAMS;
  for (const params of [named, [PARAMS.block_id, PARAMS.transactions]]) {
    expect(await resultOf("simulateTransactions", params, ending(NOTHING))).toEqual([]);
  }
});

test("simulates a query version as such", async () => {
  const seen: unknown[][] = [];
  const params = { ...PARAMS, transactions: [{ ...INVOKE, version: QUERY_VERSION }] };
  await resultOf("simulateTransactions", params, ending(NOTHING, seen));
  expect(seen[0]?.[2]).toMatchObject([{ onlyQuery: true }]);
});

test("executes nothing until the declared classes are compiled", async () => {
  const seen: unknown[][] = [];
  const requested: unknown[] = [];
  const context: FullContext = {
    ...ending(NOTHING, seen),
    declares: {
      takesMaxFee: false,
      compiledClass(request) {
        requested.push(request.classHash);
        return undefined;
      },
    },
  };
  const sierra_program = ["0x1", "0x6", "0x0"];
  const declare = { ...DECLARE, contract_class: { ...DECLARE.contract_class, sierra_program } };
  await errorOf("simulateTransactions", { ...PARAMS, transactions: [INVOKE, declare] }, context);
  expect([requested.length, seen]).toEqual([1, []]);
});

test("reports a failure with its index and frames", async () => {
  const dataIn = async (outcome: SimulationOutcome, version?: string) =>
    (await errorOf("simulateTransactions", PARAMS, ending(outcome), version)).data;
  const plain = { transaction_index: 1, execution_error: "no balance" };
  expect(await dataIn(FAILED)).toEqual(plain);
  expect(await dataIn(FAILED_CALL)).toEqual({
    transaction_index: 1,
    execution_error: {
      contract_address: "0x1",
      class_hash: "0x2",
      selector: "0x3",
      error: { contract_address: "0x4", class_hash: "0x5", selector: "0x6", error: "inner" },
    },
  });
});

test.each([
  [{ kind: "cancelled" }, "the execution took too long and was stopped"],
  [
    { kind: "too_large", index: null },
    "the traces exceed the memory limit: request fewer at a time",
  ],
  [
    { kind: "too_large", index: 3 },
    "the trace of the transaction at index 3 exceeds the memory limit",
  ],
] as const)("reports an incomplete simulation: %o", async (outcome, data) => {
  expect(await errorOf("simulateTransactions", PARAMS, ending(outcome))).toMatchObject({
    code: -32603,
    data,
  });
});

testBlockId("simulateTransactions", { transactions: [INVOKE], simulation_flags: [] });
testBadParams("simulateTransactions", { ...PARAMS, transactions: INVOKE }, "transactions");
testBadParams(
  "simulateTransactions",
  { ...PARAMS, transactions: [{ ...INVOKE, version: "0x7" }] },
  "transactions[0].version",
);
testBadParams(
  "simulateTransactions",
  { ...PARAMS, transactions: Array.from({ length: 101 }, () => INVOKE) },
  "transactions",
);
testBadParams(
  "simulateTransactions",
  { ...PARAMS, simulation_flags: ["SKIP"] },
  "simulation_flags[0]",
);
test("rejects RETURN_INITIAL_READS before 0.10", async () => {
  const params = { ...PARAMS, transactions: [], simulation_flags: ["RETURN_INITIAL_READS"] };
  expect(await errorOf("simulateTransactions", params, ending(NOTHING), "0.9.0")).toMatchObject({
    code: -32602,
    data: { path: "simulation_flags[0]" },
  });
});

const READS = { since: "0.10.2" } as const;
specTest("simulateTransactions", [
  [PARAMS, ending(NOTHING)],
  [{ ...PARAMS, simulation_flags: ["RETURN_INITIAL_READS"] }, ending(NOTHING), READS],
  [PARAMS, ending(FAILED)],
  [PARAMS, ending(FAILED_CALL)],
  ...(SHARED === undefined
    ? []
    : ([
        [{ ...PARAMS, transactions: [tx(5n), tx(6n, { amount: 10n ** 31n })] }, theContext()],
        [
          {
            ...PARAMS,
            transactions: [tx(5n)],
            simulation_flags: ["RETURN_INITIAL_READS", "SKIP_FEE_CHARGE"],
          },
          theContext(),
          READS,
        ],
      ] as const)),
  [{ ...PARAMS, block_id: NO_BLOCK }],
]);
