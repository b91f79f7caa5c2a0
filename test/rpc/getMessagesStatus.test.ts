import { expect, test } from "bun:test";
import { createFakeChain, fakeBlock, fakePending, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { ask, errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { CONTRACT, sampleContext } from "#test/helpers/sample-chain.ts";
import { errorObject, testBadParams } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const METHOD = "getMessagesStatus";
/** Above the Stark prime, which is valid for an L1 hash. */
const L1_HASH = `0x${"f".repeat(64)}`;

const handler = (hash: bigint, nonce: bigint) => ({
  hash,
  transaction: {
    type: "L1_HANDLER",
    version: 0,
    nonce,
    contractAddress: CONTRACT,
    entryPointSelector: 6n,
    calldata: [0xe7n],
    paidFeeOnL1: null,
  } as const,
});

const succeeded = fakeReceipt({ transactionHash: 0xa1n });
const reverted = fakeReceipt({
  transactionHash: 0xa2n,
  status: { kind: "reverted", reason: "no such entry point" },
});

const context: FullContext = sampleContext({
  chain: createFakeChain(
    [
      fakeBlock({
        header: { number: 0 },
        transactions: [handler(0xa2n, 8n)],
        receipts: [reverted],
      }),
      fakeBlock({
        header: { number: 1 },
        transactions: [handler(0xa1n, 7n)],
        receipts: [succeeded],
      }),
    ],
    {
      l1Accepted: 0,
      l1Messages: new Map([
        [
          BigInt(L1_HASH),
          [
            { transactionHash: 0xa2n, blockNumber: 0 },
            { transactionHash: 0xa1n, blockNumber: 1 },
          ],
        ],
      ]),
    },
  ),
});

test("returns messages in the order in which they were sent", async () => {
  for (const version of ["0.10.2", "0.9.0"]) {
    expect(await resultOf(METHOD, [L1_HASH], context, version)).toEqual([
      {
        transaction_hash: "0xa1",
        finality_status: "ACCEPTED_ON_L2",
        execution_status: "SUCCEEDED",
      },
      {
        transaction_hash: "0xa2",
        finality_status: "ACCEPTED_ON_L1",
        execution_status: "REVERTED",
        failure_reason: "no such entry point",
      },
    ]);
  }
});

/** Two of its messages are in unaccepted blocks, one of them not yet sealed. */
const above: FullContext = (() => {
  const { chain } = context;
  const consuming = (hash: bigint, nonce: bigint, number: number) => ({
    ...fakePending(chain, {
      info: { number },
      transactions: [handler(hash, nonce)],
      receipts: [fakeReceipt({ transactionHash: hash })],
    }),
    messagesOfL1Transaction: (l1Hash: bigint) => (l1Hash === BigInt(L1_HASH) ? [hash] : []),
  });
  // A block that was just accepted is briefly still listed as unaccepted.
  const blocks = [consuming(0xa1n, 7n, 1), consuming(0xa4n, 6n, 2), consuming(0xa3n, 9n, 3)];
  return { ...context, unaccepted: () => blocks, pending: () => blocks.at(-1) };
})();

test("finds messages in unaccepted blocks", async () => {
  const statuses = async (version: string) => {
    const result = await resultOf(METHOD, [L1_HASH], above, version);
    return (result as { transaction_hash: string; finality_status: string }[]).map(
      ({ transaction_hash, finality_status }) => [transaction_hash, finality_status],
    );
  };
  const expected = (executed: string) => [
    ["0xa4", executed],
    ["0xa1", "ACCEPTED_ON_L2"],
    ["0xa2", "ACCEPTED_ON_L1"],
    ["0xa3", executed],
  ];
  expect(await statuses("0.10.2")).toEqual(expected("PRE_CONFIRMED"));
  expect(await statuses("0.9.0")).toEqual(expected("PRE_CONFIRMED"));
  expect(await statuses("0.8.1")).toEqual(expected("ACCEPTED_ON_L2"));
});

test("finds messages in the pre-confirmed block if only that is known", async () => {
  const alone = { ...above, unaccepted: () => [above.pending() ?? []].flat() };
  const result = await resultOf(METHOD, [L1_HASH], alone);
  expect(result).toContainEqual({
    transaction_hash: "0xa3",
    finality_status: "PRE_CONFIRMED",
    execution_status: "SUCCEEDED",
  });
  expect(await errorOf(METHOD, ["0x1"], alone)).toEqual(errorObject("TXN_HASH_NOT_FOUND"));
});

test("omits the execution status over 0.8.1", async () => {
  expect(await resultOf(METHOD, [L1_HASH], context, "0.8.1")).toEqual([
    { transaction_hash: "0xa1", finality_status: "ACCEPTED_ON_L2" },
    {
      transaction_hash: "0xa2",
      finality_status: "ACCEPTED_ON_L1",
    },
  ]);
});

test("does not exist in 0.7.1", async () => {
  expect(await ask(METHOD, [L1_HASH], context, "0.7.1")).toMatchObject({ error: { code: -32601 } });
});

test("responds TXN_HASH_NOT_FOUND for a transaction without messages", async () => {
  expect(await errorOf(METHOD, ["0x1"], context)).toEqual(errorObject("TXN_HASH_NOT_FOUND"));
});

/** L1 has one more message of the transaction, before those in blocks, and one that was skipped. */
const received: FullContext = {
  ...context,
  l1Messages: {
    isWaiting: () => false,
    ofL1Transaction: (l1Hash) =>
      l1Hash === BigInt(L1_HASH)
        ? [
            { nonce: 5n, transactionHash: 0xa5n, isWaiting: false },
            { nonce: 6n, transactionHash: 0xa6n, isWaiting: true },
            { nonce: 7n, transactionHash: 0xa1n, isWaiting: true },
            { nonce: 8n, transactionHash: 0xa2n, isWaiting: false },
          ]
        : [],
  },
};

test("reports a message that is on L1 but in no block as RECEIVED over 0.8.1", async () => {
  expect(await resultOf(METHOD, [L1_HASH], received, "0.8.1")).toEqual([
    { transaction_hash: "0xa6", finality_status: "RECEIVED" },
    { transaction_hash: "0xa1", finality_status: "ACCEPTED_ON_L2" },
    { transaction_hash: "0xa2", finality_status: "ACCEPTED_ON_L1" },
  ]);
});

test("omits messages without an execution status since 0.9.0", async () => {
  for (const version of ["0.9.0", "0.10.2"]) {
    expect(await resultOf(METHOD, [L1_HASH], received, version)).toEqual(
      await resultOf(METHOD, [L1_HASH], context, version),
    );
  }
});

test("knows an L1 transaction before any of its messages is executed", async () => {
  const alone = { ...received, chain: createFakeChain([]), pending: () => undefined };
  const nothing = { ...alone, unaccepted: () => [] };
  expect(await resultOf(METHOD, [L1_HASH], nothing, "0.10.2")).toEqual([]);
  expect(await resultOf(METHOD, [L1_HASH], nothing, "0.8.1")).toEqual([
    { transaction_hash: "0xa6", finality_status: "RECEIVED" },
    { transaction_hash: "0xa1", finality_status: "RECEIVED" },
  ]);
});

testBadParams(METHOD, [], "transaction_hash");
testBadParams(METHOD, ["12"], "transaction_hash");
testBadParams(METHOD, [`0x1${"0".repeat(64)}`], "transaction_hash");
test("accepts named parameters", async () => {
  expect(await resultOf(METHOD, { transaction_hash: L1_HASH }, context)).toEqual(
    await resultOf(METHOD, [L1_HASH], context),
  );
});
specTest(METHOD, [
  [[L1_HASH], context],
  [[L1_HASH], above],
  [[L1_HASH], received],
  [["0x1"], context],
]);
