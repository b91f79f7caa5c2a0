import { describe, expect, test } from "bun:test";
import { decodeTransaction, transactionHash } from "#protocol/chain/index.ts";
import { SETTLE_MS } from "#app/node/devnet/devnet-service.ts";
import { MAX_IMPERSONATED } from "#services/admission/index.ts";
import { CHAIN_ID, devnetServiceWorld as world } from "#test/helpers/devnet-service-world.ts";
import { CONTRACT, SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the devnet service", () => {
  test("creates blocks and returns their hash", async () => {
    const { service, orders } = world();
    const hash = SAMPLE_CHAIN.header(1)?.hash ?? 0n;
    expect(await service.createBlock(true)).toEqual({ number: 1, hash });
    expect(orders).toEqual([{ kind: "createBlock", fresh: true }]);
  });

  test("creates a block once earlier transactions are executed", async () => {
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

  test("creates a block without transactions that time out, and does not wait for them again", async () => {
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

  test("mints the token of the unit", async () => {
    const { service, minted } = world();
    await service.mint(5n, 6n, "WEI");
    await service.mint(5n, 6n, "FRI");
    expect(minted).toEqual([
      [0xe7n, 5n, 6n],
      [0x57n, 5n, 6n],
    ]);
  });

  test("sends messages as L1 handler transactions", async () => {
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

describe("a storage write", () => {
  const write = { contractAddress: CONTRACT, key: 5n, value: 6n };

  test("is sent to the executor and visible before its block is sealed", async () => {
    const { service, orders } = world();
    await service.setStorage(write);
    expect(orders).toEqual([{ kind: "writeStorage", ...write }]);
  });

  test("is awaited if its block follows immediately", async () => {
    const { service, sealsImmediately, isAccepted, timer } = world();
    sealsImmediately.value = true;
    isAccepted.value = false;
    let isDone = false;
    const done = service.setStorage(write).then(() => (isDone = true));
    await settle();
    expect(isDone).toBe(false);
    isAccepted.value = true;
    timer.advance(1_000);
    await done;
    expect(isDone).toBe(true);
  });
});

describe("reverting the chain", () => {
  test("to the genesis of a fork keeps the block after the fork block", async () => {
    const fork = { chainId: "SN_MAIN", blockNumber: 7, blockHash: 0xabn };
    const { service, reverted } = world(false, false, fork);
    await service.restart(false);
    expect(reverted).toContainEqual({
      blockNumber: 8,
      keepReceived: false,
      keepL1Accepted: false,
    });
  });

  test("to genesis clears the environment and pending transactions", async () => {
    const { service, reverted, received, isExecuted, orders } = world();
    isExecuted.value = false;
    received.add(0x123n);
    await service.restart(false);
    expect(reverted).toEqual([
      "environment",
      { blockNumber: 0, keepReceived: false, keepL1Accepted: false },
    ]);
    // No pending transaction delays the block.
    await service.createBlock(false);
    expect(orders).toHaveLength(1);
  });

  test("keeps the loaded L1 unless the restart includes it", async () => {
    const { service } = world();
    await service.loadMessaging({ url: "http://l1", address: 5n, privateKey: undefined });
    expect((await service.flushMessages(false)).provider).toBe("http://l1/");
    await service.restart(false);
    expect((await service.flushMessages(false)).provider).toBe("http://l1/");
    await service.restart(true);
    expect((await service.flushMessages(false)).provider).toBeUndefined();
  });

  test("from a block returns the hashes of reverted blocks, newest first", async () => {
    const { service, reverted } = world();
    expect(await service.abortFrom(1)).toEqual([0x1n, 0x2n]);
    expect(reverted).toEqual([{ blockNumber: 0, keepReceived: true, keepL1Accepted: true }]);
  });

  test("is refused if the block is gone or settled by the time it runs", async () => {
    const { service, reverted, beforeRevert, chain } = world();
    const gone = (number: number) =>
      number === 1 ? { hash: 0xdeadn } : SAMPLE_CHAIN.header(number);
    beforeRevert.run = () => {
      chain.header = gone as typeof chain.header;
    };
    expect(await service.abortFrom(1).catch(String)).toContain("block 1 was reverted meanwhile");
    const other = world();
    other.beforeRevert.run = () => {
      other.chain.l1AcceptedNumber = () => 1;
    };
    const refused = await other.service.abortFrom(1).catch(String);
    expect(refused).toContain("block 1 was accepted on L1 meanwhile");
    expect([...reverted, ...other.reverted]).toEqual([]);
  });
});

describe("impersonation", () => {
  test("starts and ends immediately, for one account and for all", () => {
    const { service, impersonated } = world();
    const seen = (): boolean[] => [1n, 2n].map((address) => impersonated.has(address));
    service.impersonate(1n);
    expect(seen()).toEqual([true, false]);
    service.impersonateAll(true);
    expect(seen()).toEqual([true, true]);
    service.impersonateAll(false);
    expect(seen()).toEqual([true, false]);
    service.stopImpersonating(1n);
    expect(seen()).toEqual([false, false]);
  });

  test("of more accounts than the maximum is refused with the alternatives", () => {
    const { service, impersonated } = world();
    for (let address = 1; address <= MAX_IMPERSONATED; address++) {
      service.impersonate(BigInt(address));
    }
    expect(() => service.impersonate(1n << 200n)).toThrow(
      "1000 accounts are impersonated, which is the maximum: stop one with devnet_stopImpersonateAccount, or impersonate all with devnet_autoImpersonate",
    );
    expect(impersonated.has(1n << 200n)).toBe(false);
    service.impersonate(1n);
  });

  test("ends when the chain restarts, not when blocks are reverted", async () => {
    const { service, impersonated } = world();
    service.impersonate(1n);
    service.impersonateAll(true);
    await service.abortFrom(1);
    expect(impersonated.has(2n)).toBe(true);
    await service.restart(false);
    expect([1n, 2n].map((address) => impersonated.has(address))).toEqual([false, false]);
  });
});

test("refuses mock messages and acceptance on a chain that follows L1", async () => {
  const { service, orders } = world(false, true);
  const message = {
    l1ContractAddress: 1n,
    l2ContractAddress: 2n,
    entryPointSelector: 3n,
    payload: [],
    nonce: 4n,
    paidFeeOnL1: 5n,
    l1TransactionHash: null,
  };
  const order = { url: "http://l1", address: 5n, privateKey: undefined };
  const refusal = (asked: Promise<unknown>) => asked.then(() => "taken", String);
  expect(await refusal(service.sendMessage(message))).toContain("from L1 alone");
  expect(await refusal(service.loadMessaging(order))).toContain("from L1 alone");
  expect(await refusal(service.acceptOnL1(1))).toContain("from L1 only");
  expect((await service.flushMessages(false)).provider).toBeUndefined();
  expect(orders).toEqual([]);
});
