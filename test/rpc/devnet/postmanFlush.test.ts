import { expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_postmanFlush";

const MESSAGE = { fromAddress: 0xc0n, toAddress: 7n, payload: [1n, 2n] };

test(`${METHOD} returns the messages to L1, and no messages from the mock L1`, async () => {
  const dryRuns: boolean[] = [];
  const { context } = devnetWorld({
    flushMessages(isDry) {
      dryRuns.push(isDry);
      return Promise.resolve({
        toL1: [MESSAGE],
        toL2: [],
        transactions: [],
        provider: undefined,
      });
    },
  });
  const flushed = {
    messages_to_l1: [{ from_address: "0xc0", to_address: "0x7", payload: ["0x1", "0x2"] }],
    messages_to_l2: [],
    generated_l2_transactions: [],
  };
  expect(await askDevnet(METHOD, {}, context)).toEqual({
    result: { ...flushed, l1_provider: "mock" },
  });
  expect(await askDevnet(METHOD, { dry_run: true }, context)).toEqual({
    result: { ...flushed, l1_provider: "dry run" },
  });
  expect(dryRuns).toEqual([false, true]);
  expect(await refusedPath(METHOD, { dry_run: 1 })).toBe("dry_run");
});

test(`${METHOD} returns the messages from L1 and its URL`, async () => {
  const message = {
    l1ContractAddress: 0xabcn,
    l2ContractAddress: 0xc0n,
    entryPointSelector: 0x5en,
    payload: [1n],
    nonce: 3n,
    paidFeeOnL1: 1000n,
  };
  const { context } = devnetWorld({
    flushMessages: () =>
      Promise.resolve({
        toL1: [],
        toL2: [
          { ...message, l1TransactionHash: 0xdeadn },
          { ...message, l1TransactionHash: null },
        ],
        transactions: [0x717n],
        provider: "http://127.0.0.1:8545/",
      }),
  });
  const sent = {
    l2_contract_address: "0xc0",
    entry_point_selector: "0x5e",
    l1_contract_address: `0x${"abc".padStart(40, "0")}`,
    payload: ["0x1"],
    paid_fee_on_l1: "0x3e8",
    nonce: "0x3",
  };
  expect(await askDevnet(METHOD, {}, context)).toEqual({
    result: {
      messages_to_l1: [],
      messages_to_l2: [{ ...sent, l1_transaction_hash: `0x${"dead".padStart(64, "0")}` }, sent],
      generated_l2_transactions: ["0x717"],
      l1_provider: "http://127.0.0.1:8545/",
    },
  });
});
