import { expect, test } from "bun:test";
import { createMethodTables } from "#api/rpc/index.ts";
import { createFakeChain, fakeBlock, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { answerText, dispatcherOf, newCache, type FullContext } from "#test/helpers/serving.ts";

const [newest] = createMethodTables();

/** Chain with one transaction and a counter of reads; `isOnL1` moves its block to L1. */
function countedChain() {
  const [transaction] = sampleContext().chain.transactions(0);
  const blocks = [
    fakeBlock({ header: { number: 0 } }),
    fakeBlock({
      header: { number: 1, hash: 0xb1n },
      transactions: [{ ...transaction, hash: 0x11n } as never],
      receipts: [fakeReceipt({ transactionHash: 0x11n })],
    }),
  ];
  const state = { reads: 0, isOnL1: false };
  const context: FullContext = {
    ...sampleContext({ pending: () => undefined }),
    get chain() {
      const chain = createFakeChain(blocks, state.isOnL1 ? { l1Accepted: 1 } : {});
      const count = <A extends readonly unknown[], R>(read: (...args: A) => R) => {
        return (...args: A): R => {
          state.reads++;
          return read(...args);
        };
      };
      const transactionAt = count(chain.transactionAt.bind(chain));
      return { ...chain, transactionAt, receiptAt: count(chain.receiptAt.bind(chain)) };
    },
  };
  return { state, context };
}

const ask = (context: FullContext, cache: ReturnType<typeof newCache>, method: string) =>
  answerText(
    dispatcherOf(context, { cache }),
    `{"jsonrpc":"2.0","id":1,"method":"starknet_${method}","params":["0x11"]}`,
    newest,
  );

test("caches a receipt until its block is accepted on L1", async () => {
  const { state, context } = countedChain();
  const cache = newCache();
  for (const [isOnL1, finality] of [
    [false, '"ACCEPTED_ON_L2"'],
    [true, '"ACCEPTED_ON_L1"'],
  ] as const) {
    Object.assign(state, { isOnL1, reads: 0 });
    expect(await ask(context, cache, "getTransactionReceipt")).toContain(finality);
    const { reads } = state;
    expect(reads).toBeGreaterThan(0);
    expect(await ask(context, cache, "getTransactionReceipt")).toContain(finality);
    expect(state.reads).toBe(reads);
  }
});

test("caches a transaction", async () => {
  const { state, context } = countedChain();
  const cache = newCache();
  const first = await ask(context, cache, "getTransactionByHash");
  expect(first).toContain('"transaction_hash":"0x11"');
  expect(await ask(context, cache, "getTransactionByHash")).toBe(first);
  expect(state.reads).toBe(1);
});
