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
    "in the block being built",
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
  test(`a transaction ${name}`, async () => {
    expect(await resultOf("getTransactionStatus", { transaction_hash: hash })).toEqual(status);
  });
}

test("an unknown transaction is TXN_HASH_NOT_FOUND", async () => {
  expect(await errorOf("getTransactionStatus", ["0xdead"])).toEqual(
    errorObject("TXN_HASH_NOT_FOUND"),
  );
});

test("a transaction that left the mempool for a block while asked about is found there", async () => {
  const view = sampleContext().pending();
  let asked = false;
  const context = sampleContext({
    pending: () => (asked ? view : undefined),
    mempool: {
      find() {
        asked = true;
        return Promise.resolve(undefined);
      },
      rejectionOf: () => Promise.resolve(undefined),
    },
  });
  expect(await resultOf("getTransactionStatus", ["0x300"], context)).toMatchObject({
    finality_status: "PRE_CONFIRMED",
  });
});

test("a rejected transaction is not found, with the reason", async () => {
  expect(await errorOf("getTransactionStatus", ["0xdead"], rejecting)).toEqual({
    ...errorObject("TXN_HASH_NOT_FOUND"),
    data: "rejected: nonce too old",
  });
});

test("one that was handed to the executor is a candidate, which older versions do not know", async () => {
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

test("before 0.9 a transaction of the block being built is accepted, and reasons are told since 0.8", async () => {
  const statusIn = (version: string, hash: string) =>
    resultOf("getTransactionStatus", [hash], sampleContext(), version);
  const executed = { finality_status: "ACCEPTED_ON_L2", execution_status: "SUCCEEDED" };
  const reverted = { finality_status: "ACCEPTED_ON_L2", execution_status: "REVERTED" };
  expect(await statusIn("0.8.1", "0x300")).toEqual(executed);
  expect(await statusIn("0.7.1", "0x300")).toEqual(executed);
  expect(await statusIn("0.8.1", "0x200")).toEqual({ ...reverted, failure_reason: "out of luck" });
  expect(await statusIn("0.7.1", "0x200")).toEqual(reverted);
});

test("before 0.9 a rejected transaction has a status, with its reason since 0.8", async () => {
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
