import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { INVOKE_V3, sampleContext } from "#test/helpers/sample-chain.ts";
import { errorObject, testBadParams, testByPosition } from "./common.ts";

const rejecting = sampleContext({
  mempool: {
    find: () => Promise.resolve(undefined),
    rejectionOf: () => Promise.resolve("nonce too old"),
  },
});

for (const [name, hash, status] of [
  ["in the mempool", "0x400", { finality_status: "RECEIVED" }],
  [
    "in the pre-confirmed block",
    "0x300",
    { finality_status: "PRE_CONFIRMED", execution_status: "SUCCEEDED" },
  ],
  [
    "reverted",
    "0x200",
    {
      finality_status: "ACCEPTED_ON_L2",
      execution_status: "REVERTED",
      failure_reason: "out of luck",
    },
  ],
  ["settled on L1", "0x100", { finality_status: "ACCEPTED_ON_L1", execution_status: "SUCCEEDED" }],
] as const) {
  test(`returns the status of a transaction ${name}`, async () => {
    expect(await resultOf("getTransactionStatus", { transaction_hash: hash })).toEqual(status);
  });
}

test("responds TXN_HASH_NOT_FOUND for an unknown transaction", async () => {
  expect(await errorOf("getTransactionStatus", ["0xdead"])).toEqual(
    errorObject("TXN_HASH_NOT_FOUND"),
  );
});

test("finds a transaction that moves from the mempool to a block during the lookup", async () => {
  const view = sampleContext().pending();
  let hasMoved = false;
  const context = sampleContext({
    pending: () => (hasMoved ? view : undefined),
    mempool: {
      find() {
        hasMoved = true;
        return Promise.resolve(undefined);
      },
      rejectionOf: () => Promise.resolve(undefined),
    },
  });
  expect(await resultOf("getTransactionStatus", ["0x300"], context)).toMatchObject({
    finality_status: "PRE_CONFIRMED",
  });
});

test("does not find a rejected transaction, but reports the reason", async () => {
  expect(await errorOf("getTransactionStatus", ["0xdead"], rejecting)).toEqual({
    ...errorObject("TXN_HASH_NOT_FOUND"),
    data: "rejected: nonce too old",
  });
});

test("reports a transaction at the executor as CANDIDATE, and as RECEIVED before 0.9", async () => {
  const candidate = { hash: 0x400n, transaction: INVOKE_V3, isCandidate: true };
  const { mempool } = sampleContext();
  const context = sampleContext({
    mempool: { ...mempool, find: () => Promise.resolve(candidate) },
  });
  const statusIn = (version: string) =>
    resultOf("getTransactionStatus", ["0x400"], context, version);
  for (const version of ["0.10.2", "0.9.0"]) {
    expect(await statusIn(version)).toEqual({ finality_status: "CANDIDATE" });
  }
  for (const version of ["0.8.1", "0.7.1"]) {
    expect(await statusIn(version)).toEqual({ finality_status: "RECEIVED" });
  }
});

test("reports a pre-confirmed transaction as accepted before 0.9, and revert reasons since 0.8", async () => {
  const statusIn = (version: string, hash: string) =>
    resultOf("getTransactionStatus", [hash], sampleContext(), version);
  const executed = { finality_status: "ACCEPTED_ON_L2", execution_status: "SUCCEEDED" };
  const reverted = { finality_status: "ACCEPTED_ON_L2", execution_status: "REVERTED" };
  expect(await statusIn("0.8.1", "0x300")).toEqual(executed);
  expect(await statusIn("0.7.1", "0x300")).toEqual(executed);
  expect(await statusIn("0.8.1", "0x200")).toEqual({ ...reverted, failure_reason: "out of luck" });
  expect(await statusIn("0.7.1", "0x200")).toEqual(reverted);
});

test("reports a rejected transaction as REJECTED before 0.9, with its reason since 0.8", async () => {
  const statusIn = (version: string) =>
    resultOf("getTransactionStatus", ["0xdead"], rejecting, version);
  expect(await statusIn("0.8.1")).toEqual({
    finality_status: "REJECTED",
    failure_reason: "nonce too old",
  });
  expect(await statusIn("0.7.1")).toEqual({ finality_status: "REJECTED" });
  expect(await errorOf("getTransactionStatus", ["0xdead"], rejecting, "0.9.0")).toEqual({
    ...errorObject("TXN_HASH_NOT_FOUND"),
    data: "rejected: nonce too old",
  });
});

testBadParams("getTransactionStatus", [], "transaction_hash");
testBadParams("getTransactionStatus", { transaction_hash: "400" }, "transaction_hash");
testByPosition("getTransactionStatus", { transaction_hash: "0x200" });
specTest("getTransactionStatus", [
  [["0x100"]],
  [["0x200"]],
  [["0x300"]],
  [["0x400"]],
  [["0xdead"]],
  [["0xdead"], rejecting],
]);
