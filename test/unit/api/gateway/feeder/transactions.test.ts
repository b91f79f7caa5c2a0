import { describe, expect, test } from "bun:test";
import { readGatewayTransactionStatus } from "#io/feeder/index.ts";
import { feederOf } from "#test/helpers/feeder.ts";
import { INVOKE_V3, SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";
import { readStrictly } from "#test/helpers/strict-gateway/index.ts";

const { ask } = feederOf();

test.each([
  "get_transaction",
  "get_transaction_status",
  "get_transaction_receipt",
  "get_transaction_trace",
])("%s yields to other work between two reads", async (route) => {
  let reads = 0;
  const chain = {
    ...SAMPLE_CHAIN,
    receiptAt(...location: Parameters<typeof SAMPLE_CHAIN.receiptAt>) {
      reads++;
      return SAMPLE_CHAIN.receiptAt(...location);
    },
  };
  const feeder = feederOf({ context: sampleContext({ chain, pending: () => undefined }) });
  const responses = Array.from({ length: 5 }, () => feeder.ask(`${route}?transactionHash=0x100`));
  const readBetween = [reads];
  for (let before = -1; reads > before && readBetween.length < 50;) {
    before = reads;
    await new Promise((resolve) => setImmediate(resolve));
    readBetween.push(reads - before);
  }
  await Promise.all(responses);
  expect(Math.max(...readBetween)).toBe(1);
});

describe("transaction endpoints", () => {
  const context = sampleContext();
  const at = (isCandidate: boolean, rejection?: string) =>
    feederOf({
      context: {
        ...context,
        mempool: {
          find: (hash) =>
            Promise.resolve(
              hash === 0x400n ? { hash, transaction: INVOKE_V3, isCandidate } : undefined,
            ),
          rejectionOf: (hash) => Promise.resolve(hash === 0x500n ? rejection : undefined),
        },
      },
    });

  test.each([
    [
      "0x100",
      {
        tx_status: "ACCEPTED_ON_L1",
        finality_status: "ACCEPTED_ON_L1",
        execution_status: "SUCCEEDED",
        block_hash: "0xb10c0",
      },
    ],
    [
      "0x200",
      {
        tx_status: "ACCEPTED_ON_L2",
        finality_status: "ACCEPTED_ON_L2",
        execution_status: "REVERTED",
        block_hash: "0xb10c1",
        tx_revert_reason: "out of luck",
      },
    ],
    [
      "0x300",
      { tx_status: "PRE_CONFIRMED", finality_status: "RECEIVED", execution_status: "SUCCEEDED" },
    ],
    ["0x400", { tx_status: "RECEIVED", finality_status: "RECEIVED", execution_status: null }],
    [
      "0xdead",
      { tx_status: "NOT_RECEIVED", finality_status: "NOT_RECEIVED", execution_status: null },
    ],
  ])("return the status of %s", async (hash, expected) => {
    const { status, json, text } = await at(false).ask(
      `get_transaction_status?transactionHash=${hash}`,
    );
    expect([status, json]).toEqual([200, expected]);
    readStrictly("transactionStatus", text);
    expect(readGatewayTransactionStatus(json).status).toBe(expected.tx_status);
  });

  test("return the status of a candidate, and of a rejected transaction with its reason", async () => {
    const candidate = await at(true).ask("get_transaction_status?transactionHash=0x400");
    expect(candidate.json).toMatchObject({ tx_status: "CANDIDATE", finality_status: "RECEIVED" });
    const rejected = await at(false, "no funds").ask(
      "get_transaction_status?transactionHash=0x500",
    );
    readStrictly("transactionStatus", rejected.text);
    expect(rejected.json).toMatchObject({
      tx_status: "REJECTED",
      finality_status: "RECEIVED",
      execution_status: "REJECTED",
      tx_failure_reason: { error_message: "no funds" },
    });
  });

  test("find a transaction that is included during the mempool lookup", async () => {
    let isIncluded = false;
    const late = feederOf({
      context: {
        ...context,
        chain: {
          ...SAMPLE_CHAIN,
          locate: (hash) => (isIncluded ? SAMPLE_CHAIN.locate(hash) : undefined),
        },
        mempool: {
          find() {
            isIncluded = true;
            return Promise.resolve(undefined);
          },
          rejectionOf: () => Promise.resolve(undefined),
        },
      },
    });
    const { json } = await late.ask("get_transaction_status?transactionHash=0x100");
    expect(json).toHaveProperty("tx_status", "ACCEPTED_ON_L1");
  });

  test("get_transaction returns the transaction and its status", async () => {
    const { ask: of } = at(false, "no funds");
    const found = async (hash: string) =>
      (await of(`get_transaction?transactionHash=${hash}`)).json;
    expect(await found("0x200")).toMatchObject({
      status: "ACCEPTED_ON_L2",
      execution_status: "REVERTED",
      block_hash: "0xb10c1",
      block_number: 1,
      transaction_index: 0,
      revert_error: "out of luck",
      transaction: { transaction_hash: "0x200", type: "INVOKE_FUNCTION" },
    });
    const pending = await found("0x300");
    expect(pending).toMatchObject({ status: "PRE_CONFIRMED", block_number: 2 });
    expect(pending).not.toHaveProperty("block_hash");
    expect(await found("0x400")).toMatchObject({
      status: "RECEIVED",
      transaction: { transaction_hash: "0x400" },
    });
    expect(await found("0x500")).toEqual({
      status: "REJECTED",
      finality_status: "RECEIVED",
      execution_status: "REJECTED",
      transaction_failure_reason: { code: "TRANSACTION_FAILED", error_message: "no funds" },
    });
    expect(await found("0xdead")).toEqual({
      status: "NOT_RECEIVED",
      finality_status: "NOT_RECEIVED",
    });
  });

  test("get_transaction_receipt returns the receipt in the format of the block's version", async () => {
    expect((await ask("get_transaction_receipt?transactionHash=0x200")).json).toMatchObject({
      status: "ACCEPTED_ON_L2",
      execution_status: "REVERTED",
      revert_error: "out of luck",
      transaction_index: 0,
      actual_fee: "0x64",
      execution_resources: { total_gas_consumed: { l2_gas: 1_000_000 } },
    });
    expect((await ask("get_transaction_receipt?transactionHash=0xdead")).json).toEqual({
      status: "NOT_RECEIVED",
      finality_status: "NOT_RECEIVED",
      transaction_hash: "0xdead",
      l2_to_l1_messages: [],
      events: [],
    });
  });
});
