import { expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { errorOf, resultOf, specTest, VERSIONS } from "#test/helpers/rpc.ts";
import { INVOKE_V3, sampleContext } from "#test/helpers/sample-chain.ts";
import { SHARED, sharedTest } from "#test/helpers/shared.ts";
import { HANDLER, type TraceWorld, traceWorld } from "#test/helpers/trace-world.ts";
import { SENDER, STRK } from "#test/helpers/transfer-chain.ts";
import { errorObject, testBadParams } from "./common.ts";
import type { TraceAccess } from "#api/rpc/index.ts";

let world: TraceWorld | undefined;

/** Trace fixtures, executed once. */
const theWorld = (): TraceWorld => (world ??= traceWorld());

/** Parameters for the transaction at an index of a block. */
const paramsOf = (block: number, index: number) => ({
  transaction_hash: hexFromFelt(theWorld().transactions[block]?.[index]?.hash ?? 0n),
});

/** Trace of the transaction at an index of a block. */
const traceOf = (block: number, index: number, version?: string) =>
  resultOf("traceTransaction", paramsOf(block, index), theWorld().context, version);

const rejecting = sampleContext({
  mempool: {
    find: () => Promise.resolve(undefined),
    rejectionOf: () => Promise.resolve("nonce too old"),
  },
});

sharedTest("returns the calls, state changes and gas of an invoke", async () => {
  const receipt = theWorld().receipts[0]?.[0];
  expect(await traceOf(0, 0)).toMatchObject({
    type: "INVOKE",
    validate_invocation: { contract_address: hexFromFelt(SENDER), result: ["0x56414c4944"] },
    execute_invocation: {
      caller_address: "0x0",
      is_reverted: false,
      calls: [{ contract_address: hexFromFelt(STRK), caller_address: hexFromFelt(SENDER) }],
    },
    fee_transfer_invocation: { contract_address: hexFromFelt(STRK) },
    state_diff: { nonces: [{ contract_address: hexFromFelt(SENDER), nonce: "0x1" }] },
    execution_resources: {
      l1_gas: Number(receipt?.gas.l1Gas),
      l1_data_gas: Number(receipt?.gas.l1DataGas),
      l2_gas: Number(receipt?.gas.l2Gas),
    },
  });
});

sharedTest(
  "returns the revert reason in place of the calls, and the fee transfer of a reverted invoke",
  async () => {
    const status = theWorld().receipts[0]?.[1]?.status;
    const reason = status?.kind === "reverted" ? status.reason : undefined;
    expect(reason).toContain("insufficient balance");
    expect(await traceOf(0, 1)).toMatchObject({
      execute_invocation: { revert_reason: reason },
      fee_transfer_invocation: { contract_address: hexFromFelt(STRK) },
    });
  },
);

sharedTest("returns the handler call of an L1 message", async () => {
  expect(await traceOf(0, 2)).toMatchObject({
    type: "L1_HANDLER",
    function_invocation: {
      contract_address: hexFromFelt(HANDLER),
      entry_point_type: "L1_HANDLER",
      calldata: ["0xe7", "0xa"],
    },
  });
});

sharedTest(
  "returns the revert reason of an L1 handler since 0.9, and its call in older versions",
  async () => {
    for (const version of ["0.10.2", "0.9.0"]) {
      expect(await traceOf(1, 1, version)).toMatchObject({
        function_invocation: { revert_reason: expect.stringContaining("ENTRYPOINT_NOT_FOUND") },
      });
    }
    const handler = { contract_address: hexFromFelt(HANDLER), calls: [], result: [] };
    expect(await traceOf(1, 1, "0.8.1")).toMatchObject({
      function_invocation: { ...handler, is_reverted: true },
    });
    expect(await traceOf(1, 1, "0.7.1")).toMatchObject({ function_invocation: handler });
  },
);

sharedTest("returns the gas of calls since 0.8, and VM resources in 0.7", async () => {
  for (const version of VERSIONS) {
    const { execute_invocation: call, execution_resources: all } = (await traceOf(
      1,
      0,
      version,
    )) as Record<"execute_invocation" | "execution_resources", Record<string, object>>;
    const isOld = version === "0.7.1";
    expect(Object.keys(call?.["execution_resources"] ?? {})).toEqual(
      isOld ? expect.arrayContaining(["steps"]) : ["l1_gas", "l2_gas"],
    );
    expect(Object.keys(all ?? {})).toEqual(
      isOld
        ? expect.arrayContaining(["steps", "data_availability"])
        : ["l1_gas", "l1_data_gas", "l2_gas"],
    );
    expect("is_reverted" in (call ?? {})).toBe(!isOld);
  }
});

sharedTest("traces unaccepted transactions on the state before their block", async () => {
  for (const [block, index, nonce] of [
    [2, 0, "0x6"],
    [3, 0, "0x7"],
  ] as const) {
    expect(await traceOf(block, index)).toMatchObject({
      state_diff: { nonces: [{ contract_address: hexFromFelt(SENDER), nonce }] },
    });
  }
});

sharedTest("equals the traces of traceBlockTransactions", async () => {
  const block = (await resultOf(
    "traceBlockTransactions",
    [{ block_number: 1 }],
    traceWorld().context,
  )) as { transaction_hash: string; trace_root: unknown }[];
  expect(block).toHaveLength(4);
  for (const { transaction_hash, trace_root } of block.toReversed()) {
    const { context } = theWorld();
    expect(await resultOf("traceTransaction", { transaction_hash }, context)).toEqual(trace_root);
  }
});

test("responds TXN_HASH_NOT_FOUND for an unknown transaction", async () => {
  expect(await errorOf("traceTransaction", ["0xdead"])).toEqual(errorObject("TXN_HASH_NOT_FOUND"));
});

test("responds NO_TRACE_AVAILABLE for a pending transaction", async () => {
  expect(await errorOf("traceTransaction", ["0x400"])).toEqual({
    ...errorObject("NO_TRACE_AVAILABLE"),
    data: { status: "RECEIVED" },
  });
});

test("responds NO_TRACE_AVAILABLE for a rejected transaction", async () => {
  expect(await errorOf("traceTransaction", ["0xdead"], rejecting)).toEqual({
    ...errorObject("NO_TRACE_AVAILABLE"),
    data: { status: "REJECTED" },
  });
});

test("finds a transaction that moves from the mempool to a block during the lookup", async () => {
  const view = sampleContext().pending();
  let hasMoved = false;
  const context = sampleContext({
    pending: () => (hasMoved ? view : undefined),
    mempool: {
      find() {
        hasMoved = true;
        return Promise.resolve({ hash: 0x300n, transaction: INVOKE_V3, isCandidate: false });
      },
      rejectionOf: () => Promise.resolve(undefined),
    },
    tracing: { traceOne: () => ({ kind: "too_large", index: 0 }) } as unknown as TraceAccess,
  });
  expect(await errorOf("traceTransaction", ["0x300"], context)).toMatchObject({
    code: -32603,
    data: "the trace of transaction 0x300 exceeds the memory limit",
  });
});

test.each([
  [
    { kind: "differs", index: 1, reason: "it reverted now" },
    "transaction 0x101 behaves differently than in block 0 (it reverted now): its trace is unknown",
  ],
  [
    { kind: "cancelled", done: 2 },
    "the execution of block 0 took too long and was stopped after 2 of 11 transactions",
  ],
  [{ kind: "too_large", index: 1 }, "the trace of transaction 0x101 exceeds the memory limit"],
] as const)("reports an unavailable trace: %o", async (outcome, data) => {
  const tracing = { traceOne: () => outcome } as unknown as TraceAccess;
  const context = sampleContext({ tracing });
  expect(await errorOf("traceTransaction", ["0x101"], context)).toEqual({
    code: -32603,
    message: "Internal error",
    data,
  });
});

testBadParams("traceTransaction", {}, "transaction_hash");
testBadParams("traceTransaction", { transaction_hash: "400" }, "transaction_hash");
specTest("traceTransaction", [
  ...(SHARED === undefined
    ? []
    : [0, 1, 2, 3].flatMap((block) =>
        (theWorld().transactions[block] ?? []).map(
          (_, index) => [paramsOf(block, index), theWorld().context] as const,
        ),
      )),
  [["0xdead"]],
  [["0x400"]],
  [["0xdead"], rejecting],
]);
