import { expect, test } from "bun:test";
import type { EstimateOutcome } from "#engine/execution/index.ts";
import type { ExecutionAccess } from "#api/rpc/index.ts";
import { DEPLOY_ACCOUNT, INVOKE, QUERY_VERSION } from "#test/helpers/broadcasted.ts";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const PARAMS = { request: [INVOKE], simulation_flags: [], block_id: "latest" };

const ESTIMATED: EstimateOutcome = {
  kind: "ok",
  estimates: [
    {
      gas: { l1Gas: 1n, l1DataGas: 2n, l2Gas: 3n },
      prices: { l1Gas: 4n, l1DataGas: 5n, l2Gas: 6n },
      overallFee: 32n,
      unit: "FRI",
    },
  ],
};

const FAILED: EstimateOutcome = { kind: "failed", index: 1, reason: "no balance" };

function answering(
  outcome: EstimateOutcome,
  seen?: (...args: Parameters<ExecutionAccess["estimateFee"]>) => void,
): FullContext {
  return sampleContext({
    execution: {
      call: () => ({ kind: "cancelled" }),
      estimateFee(...args) {
        seen?.(...args);
        return outcome;
      },
    },
  });
}

/** Arguments of the execution for a request. */
async function seenBy(params: Parameters<typeof resultOf>[1]) {
  const seen: Parameters<ExecutionAccess["estimateFee"]>[] = [];
  await resultOf(
    "estimateFee",
    params,
    answering(ESTIMATED, (...args) => seen.push(args)),
  );
  return seen[0];
}

test("returns gas, prices and fee of each transaction", async () => {
  expect(await resultOf("estimateFee", PARAMS, answering(ESTIMATED))).toEqual([
    {
      l1_gas_consumed: "0x1",
      l1_gas_price: "0x4",
      l1_data_gas_consumed: "0x2",
      l1_data_gas_price: "0x5",
      l2_gas_consumed: "0x3",
      l2_gas_price: "0x6",
      overall_fee: "0x20",
      unit: "FRI",
    },
  ]);
});

test("passes on the transactions in order", async () => {
  const [, , transactions] = (await seenBy({ ...PARAMS, request: [INVOKE, DEPLOY_ACCOUNT] })) ?? [];
  expect(transactions?.map(({ transaction }) => transaction.transaction.type)).toEqual([
    "INVOKE",
    "DEPLOY_ACCOUNT",
  ]);
});

test("stops at its deadline while it hashes long calldata", async () => {
  const calldata = Array.from({ length: 100_000 }, (_, i) => `0x${i.toString(16)}`);
  const params = { ...PARAMS, request: [{ ...INVOKE, calldata }] };
  let checks = 0;
  const context = (maxChecks: number): FullContext => ({
    ...answering(ESTIMATED),
    isStopped: () => ++checks > maxChecks,
  });
  await resultOf("estimateFee", params, context(Number.POSITIVE_INFINITY));
  const whole = checks;
  expect(whole).toBeGreaterThan(40);
  checks = 0;
  expect(await errorOf("estimateFee", params, context(whole - 20))).toMatchObject({
    code: -32603,
    data: expect.stringContaining("was stopped"),
  });
  expect(checks).toBe(whole - 19);
});

test("estimates a query version as such", async () => {
  const [, , transactions] =
    (await seenBy({ ...PARAMS, request: [{ ...INVOKE, version: QUERY_VERSION }] })) ?? [];
  expect(transactions?.[0]?.onlyQuery).toBe(true);
});

test("passes on each transaction with the hash of its version", async () => {
  const [, , transactions] =
    (await seenBy({ ...PARAMS, request: [INVOKE, { ...INVOKE, version: QUERY_VERSION }] })) ?? [];
  const [plain, query] = transactions ?? [];
  expect(plain?.transaction.hash).not.toBe(query?.transaction.hash as bigint);
});

for (const [how, params, validate] of [
  ["runs validation without flags", PARAMS, true],
  [
    "skips validation with SKIP_VALIDATE",
    { ...PARAMS, simulation_flags: ["SKIP_VALIDATE"] },
    false,
  ],
  ["allows named parameters without flags", { request: [INVOKE], block_id: "latest" }, true],
  ["allows positional parameters without flags", [[INVOKE], "latest"], true],
  [
    "takes flags as the second positional parameter",
    [[INVOKE], ["SKIP_VALIDATE"], "latest"],
    false,
  ],
] as const) {
  test(how, async () => {
    expect((await seenBy(params))?.[3]).toEqual({ validate });
  });
}

test("reports a failing transaction as TRANSACTION_EXECUTION_ERROR with its index", async () => {
  expect(await errorOf("estimateFee", PARAMS, answering(FAILED))).toEqual({
    ...errorObject("TRANSACTION_EXECUTION_ERROR"),
    data: { transaction_index: 1, execution_error: "no balance" },
  });
});

test("responds CONTRACT_NOT_FOUND if the first sender is not deployed", async () => {
  const params = { ...PARAMS, request: [{ ...INVOKE, sender_address: "0x99" }] };
  expect(await errorOf("estimateFee", params, answering(ESTIMATED))).toMatchObject(
    errorObject("CONTRACT_NOT_FOUND"),
  );
});

test("reports a missing sender as a failed execution in older versions", async () => {
  const params = { ...PARAMS, request: [{ ...INVOKE, sender_address: "0x99" }] };
  for (const version of ["0.9.0", "0.8.1", "0.7.1"]) {
    expect(await errorOf("estimateFee", params, answering(ESTIMATED), version)).toEqual({
      ...errorObject("TRANSACTION_EXECUTION_ERROR"),
      data: {
        transaction_index: 0,
        execution_error: "the sender of request[0] is not deployed",
      },
    });
  }
});

test("rejects unsupported transaction versions with their index", async () => {
  const params = { ...PARAMS, request: [INVOKE, { ...INVOKE, version: "0x0" }] };
  expect(await errorOf("estimateFee", params, answering(ESTIMATED))).toMatchObject({
    code: -32602,
    data: { path: "request[1].version" },
  });
});

testBlockId("estimateFee", { request: [INVOKE], simulation_flags: [] });
testBadParams("estimateFee", { ...PARAMS, request: [{ type: "DEPLOY" }] }, "request[0].type");
testBadParams("estimateFee", { ...PARAMS, request: INVOKE }, "request");
testBadParams(
  "estimateFee",
  { ...PARAMS, request: Array.from({ length: 101 }, () => INVOKE) },
  "request",
);
testBadParams(
  "estimateFee",
  { ...PARAMS, simulation_flags: ["SKIP_FEE_CHARGE"] },
  "simulation_flags[0]",
);
specTest("estimateFee", [
  [PARAMS, answering(ESTIMATED)],
  [PARAMS, answering(FAILED)],
  [{ ...PARAMS, request: [{ ...INVOKE, sender_address: "0x99" }] }, answering(ESTIMATED)],
  [{ ...PARAMS, block_id: NO_BLOCK }],
]);
