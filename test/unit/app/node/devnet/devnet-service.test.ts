import { describe, expect, test } from "bun:test";
import { decodeTransaction, transactionHash } from "#protocol/chain/index.ts";
import { DevnetService, SETTLE_MS } from "#app/node/devnet/devnet-service.ts";
import type { ControlClient } from "#app/node/devnet/control-client.ts";
import type { FaucetClient } from "#app/node/devnet/faucet-client.ts";
import { MockL1 } from "#app/node/devnet/mock-l1.ts";
import { Progress } from "#app/node/devnet/progress.ts";
import { ReceivedTransactions } from "#app/node/devnet/received.ts";
import type { ControlCommand } from "#services/sequencer/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { CONTRACT, SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";

const CHAIN_ID = 0x54n;

/** Orders are done at once; blocks are those of the sample chain. */
function world() {
  const timer = new FakeTimer();
  const orders: ControlCommand[] = [];
  const chain = {
    header: (number: number) => SAMPLE_CHAIN.header(number),
    latestNumber: () => SAMPLE_CHAIN.latestNumber(),
    locate: (hash: bigint) => SAMPLE_CHAIN.locate(hash) ?? { blockNumber: 1, index: 0 },
    receiptAt: SAMPLE_CHAIN.receiptAt.bind(SAMPLE_CHAIN),
    receipts: SAMPLE_CHAIN.receipts.bind(SAMPLE_CHAIN),
  };
  const received = new ReceivedTransactions();
  const isExecuted = { value: true };
  const progress = new Progress({
    chain: { ...chain, locate: (hash) => (isExecuted.value ? chain.locate(hash) : undefined) },
    overlay: () => ({ blocks: () => [] }),
    timer,
  });
  const control = {
    order(command: ControlCommand) {
      orders.push(command);
      return Promise.resolve({ kind: "sealed", blockNumber: 1 });
    },
  } as unknown as ControlClient;
  const minted: unknown[] = [];
  const faucet = {
    mint(...call: unknown[]) {
      minted.push(call);
      return Promise.resolve({ transactionHash: 1n, revertReason: null });
    },
  } as unknown as FaucetClient;
  const service = new DevnetService({
    chainId: CHAIN_ID,
    tokens: { FRI: 0x57n, WEI: 0xe7n },
    chain,
    accounts: () => [],
    config: () => ({}),
    next: () => ({
      timestamp: 5,
      gasPrices: {
        l1Gas: { wei: 1n, fri: 1n },
        l1DataGas: { wei: 1n, fri: 1n },
        l2Gas: { wei: 1n, fri: 1n },
      },
    }),
    control,
    faucet,
    progress,
    received,
    mockL1: new MockL1(chain),
    acceptOnL1: () => Promise.resolve(),
  });
  return { service, orders, minted, received, timer, isExecuted };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the comforts of a development chain", () => {
  test("make blocks and tell their hash", async () => {
    const { service, orders } = world();
    const hash = SAMPLE_CHAIN.header(1)?.hash ?? 0n;
    expect(await service.createBlock(true)).toEqual({ number: 1, hash });
    expect(orders).toEqual([{ kind: "createBlock", fresh: true }]);
  });

  test("make a block when what was received before is executed", async () => {
    const { service, orders, received, isExecuted, timer } = world();
    isExecuted.value = false;
    received.add(0x123n);
    const block = service.createBlock(false);
    await settle();
    expect(orders).toEqual([]);
    isExecuted.value = true;
    timer.advance(100);
    await block;
    expect(orders).toHaveLength(1);
  });

  test("make a block without what is not executed in time, and do not wait for it again", async () => {
    const { service, orders, received, isExecuted, timer } = world();
    isExecuted.value = false;
    received.add(0x123n);
    const block = service.createBlock(false);
    await settle();
    timer.advance(SETTLE_MS);
    await block;
    await service.createBlock(false);
    expect(orders).toHaveLength(2);
  });

  test("mint the token of the unit", async () => {
    const { service, minted } = world();
    await service.mint(5n, 6n, "WEI");
    await service.mint(5n, 6n, "FRI");
    expect(minted).toEqual([
      [0xe7n, 5n, 6n],
      [0x57n, 5n, 6n],
    ]);
  });

  test("send messages as L1 handler transactions", async () => {
    const { service, orders } = world();
    const hash = await service.sendMessage({
      l1ContractAddress: 0x11n,
      l2ContractAddress: CONTRACT,
      entryPointSelector: 0x12n,
      payload: [1n, 2n],
      nonce: 3n,
      paidFeeOnL1: 4n,
      l1TransactionHash: 9n,
    });
    const [order] = orders;
    if (order?.kind !== "message") throw new TypeError("a message was ordered");
    const { transaction, ...decoded } = decodeTransaction(order.bytes);
    expect(transaction).toEqual({
      type: "L1_HANDLER",
      version: 0,
      nonce: 3n,
      contractAddress: CONTRACT,
      entryPointSelector: 0x12n,
      calldata: [0x11n, 1n, 2n],
      paidFeeOnL1: 4n,
    });
    expect(decoded.hash).toBe(hash);
    expect(hash).toBe(transactionHash(transaction, CHAIN_ID));
    expect(order.l1TransactionHash).toBe(9n);
  });
});
