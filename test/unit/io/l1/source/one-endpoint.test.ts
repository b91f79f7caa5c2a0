import { describe, expect, test } from "bun:test";
import { FakeL1, messageLog, stateUpdateLog } from "#test/helpers/fake-l1.ts";
import { type L1SourceWorld, l1SourceWorld } from "#test/helpers/l1-source.ts";

describe("a view of L1", () => {
  test("is at the block of the requested depth and knows the head", async () => {
    const l1 = new FakeL1(30);
    await using world = await l1SourceWorld([l1]);
    const numbers = await world.source.view(10, async ({ block, head }) => [block, head]);
    expect(numbers.map(({ number, hash, parentHash }) => [number, hash, parentHash])).toEqual(
      [19, 29].map((number) => {
        const { hash, parentHash } = l1.block(number);
        return [number, BigInt(hash), BigInt(parentHash)];
      }),
    );
    expect(await world.source.view(0, async ({ block }) => block.number)).toBe(29);
    expect(await world.source.view(1000, async ({ block }) => block.number)).toBe(0);
  });

  test("is at the block with a consensus tag", async () => {
    const l1 = new FakeL1(30);
    l1.safeNumber = 20;
    await using world = await l1SourceWorld([l1], { limits: { firstPauseMs: 0 } });
    expect(await world.source.view("safe", async ({ block }) => block.number)).toBe(20);
    expect(world.source.view("finalized", async () => 0)).rejects.toThrow("block not found");
    l1.finalizedNumber = 10;
    expect(await world.source.view("finalized", async ({ block }) => block.number)).toBe(10);
  });

  test("returns updates and messages of any values in order", async () => {
    const l1 = new FakeL1(5);
    const most = 2n ** 256n - 1n;
    const message = {
      fromAddress: 2n ** 160n - 1n,
      toAddress: most,
      selector: most,
      payload: [0n, most, 5n],
      nonce: 7n,
      feeWei: most,
    };
    l1.mine(3, [messageLog(message), stateUpdateLog(1n, -1n, 2n)]);
    l1.mine(1, [stateUpdateLog(3n, 4n, 5n), messageLog({ nonce: 8n })]);
    await using world = await l1SourceWorld([l1]);
    const logs = await world.source.view(0, (view) => view.logs(0, view.block.number));
    expect(logs.map(({ l1Block, logIndex }) => [l1Block.number, logIndex])).toEqual([
      [5, 0],
      [5, 1],
      [8, 0],
      [8, 1],
    ]);
    expect(logs[0]).toMatchObject({ kind: "message_to_l2", ...message });
    expect(logs[1]).toMatchObject({
      kind: "state_update",
      stateRoot: 1n,
      blockNumber: -1n,
      blockHash: 2n,
      l1Block: { number: 5, hash: BigInt(l1.block(5).hash) },
    });
    expect(logs[3]).toMatchObject({ nonce: 8n, payload: [] });
    const some = await world.source.view(0, (view) => view.logs(6, 8));
    expect(some).toEqual(logs.slice(2));
  });

  test("returns state, nonce and messages of the core contract", async () => {
    const l1 = new FakeL1(5);
    l1.getters
      .set("stateRoot()", 11n)
      .set("stateBlockNumber()", 12n)
      .set("stateBlockHash()", 13n)
      .set("l1ToL2MessageNonce()", 14n)
      .set("l1ToL2Messages(bytes32) 77", 101n)
      .set("l1ToL2MessageCancellations(bytes32) 78", 99n);
    await using world = await l1SourceWorld([l1]);
    const [state, nonce, states] = await world.source.view(0, (view) =>
      Promise.all([view.coreState(), view.nextMessageNonce(), view.messages([77n, 78n])]),
    );
    expect(state).toEqual({ stateRoot: 11n, blockNumber: 12n, blockHash: 13n });
    expect(nonce).toBe(14n);
    expect(states).toEqual([
      { feePlusOne: 101n, cancellationStarted: 0n },
      { feePlusOne: 0n, cancellationStarted: 99n },
    ]);
  });

  test("before the deployment has the state before the first update", async () => {
    const l1 = new FakeL1(20);
    l1.deployedAt = 15;
    l1.getters.set("stateBlockNumber()", 3n);
    await using world = await l1SourceWorld([l1]);
    const before = await world.source.view(10, (view) => view.coreState());
    expect(before).toEqual({ stateRoot: 0n, blockNumber: -1n, blockHash: 0n });
    expect((await world.source.view(0, (view) => view.coreState())).blockNumber).toBe(3n);
  });

  test("returns hashes of its chain up to its block", async () => {
    const l1 = new FakeL1(5);
    await using world = await l1SourceWorld([l1]);
    const hashes = await world.source.view(2, async (view) => [
      await view.hashOf(1),
      await view.hashOf(4),
      await view.hashOf(5),
    ]);
    expect(hashes).toEqual([BigInt(l1.block(1).hash), BigInt(l1.block(4).hash), undefined]);
  });

  test("is rejected if its block was replaced meanwhile", async () => {
    const l1 = new FakeL1(20);
    await using world = await l1SourceWorld([l1]);
    const reading = world.source.view(3, async (view) => {
      l1.reorg(8);
      return view.block.number;
    });
    expect(reading).rejects.toMatchObject({ code: "L1_REPLACED", retryable: true });
    expect(await world.source.view(3, async ({ block }) => block.hash)).toBe(
      BigInt(l1.block(16).hash),
    );
  });
});

describe("while the head of L1 is unchanged", () => {
  const read = ({ source }: L1SourceWorld) =>
    source.view(2, async (view) => ({
      block: view.block.number,
      core: await view.coreState(),
      nonce: await view.nextMessageNonce(),
    }));

  test("a read requests only chain id, head and the counted block", async () => {
    const l1 = new FakeL1(10);
    l1.getters.set("l1ToL2MessageNonce()", 4n);
    await using world = await l1SourceWorld([l1]);
    const first = await read(world);
    world.proxies[0]?.call.splice(0);
    expect(await read(world)).toEqual(first);
    const asked = world.proxies[0]?.call.map(({ method, params: [which] }) => [method, which]);
    expect(asked?.toSorted()).toEqual([
      ["eth_chainId", undefined],
      ["eth_getBlockByNumber", "0x7"],
      ["eth_getBlockByNumber", "latest"],
    ]);
    l1.mine(1);
    l1.getters.set("l1ToL2MessageNonce()", 5n);
    expect(await read(world)).toMatchObject({ block: 8, nonce: 5n });
    l1.reorg(1);
    l1.getters.set("l1ToL2MessageNonce()", 6n);
    expect(await read(world)).toMatchObject({ block: 8, nonce: 6n });
  });

  test("values of a block that was replaced meanwhile are not cached", async () => {
    const l1 = new FakeL1(10);
    const replaced = l1.fork();
    replaced.reorg(5);
    replaced.getters.set("l1ToL2MessageNonce()", 9n);
    await using world = await l1SourceWorld([l1]);
    const reading = world.source.view(2, async (view) => {
      l1.intercept = (method, params) => replaced.answer(method, params);
      return await view.nextMessageNonce();
    });
    expect(reading).rejects.toMatchObject({ code: "L1_REPLACED" });
    l1.intercept = () => undefined;
    expect(await read(world)).toMatchObject({ nonce: 0n });
  });
});

describe("L1Source", () => {
  test("reads the chain id and detects a core contract", async () => {
    const l1 = new FakeL1(5);
    await using world = await l1SourceWorld([l1]);
    expect(await world.source.chainId()).toBe(31_337);
    expect(await world.source.hasCoreContract()).toBe(true);
    l1.deployedAt = 100;
    expect(await world.source.hasCoreContract()).toBe(false);
  });

  test("finds the newest block before a time in few requests", async () => {
    const l1 = new FakeL1(20_000);
    await using world = await l1SourceWorld([l1]);
    const time = l1.block(12_345).timestamp;
    expect(await world.source.blockBefore(time)).toBe(12_344);
    expect(await world.source.blockBefore(time + 1)).toBe(12_345);
    expect(await world.source.blockBefore(l1.block(0).timestamp)).toBeUndefined();
    expect(await world.source.blockBefore(l1.block(0).timestamp + 1)).toBe(0);
    expect(await world.source.blockBefore(2 ** 40)).toBe(19_999);
    expect(world.proxies[0]?.call.length).toBeLessThan(40);
  });
});

describe("L1Source.feeQuote", () => {
  test("returns the next base fee and the mean of blob base fees", async () => {
    const l1 = new FakeL1(5);
    await using world = await l1SourceWorld([l1]);
    expect(await world.source.feeQuote()).toEqual({
      endpoint: world.proxies[0]?.url ?? "",
      l1GasWei: 8n,
      l1DataGasWei: 3n,
    });
    const asked = world.proxies[0]?.call.findLast(({ method }) => method === "eth_feeHistory");
    expect(asked?.params).toEqual(["0x12c", "latest", []]);
    expect(await world.source.otherFeeQuote(world.proxies[0]?.url ?? "")).toBeUndefined();
  });

  test("has no data gas price if L1 has no blobs or had none yet", async () => {
    const l1 = new FakeL1(5);
    await using world = await l1SourceWorld([l1]);
    for (const fees of [undefined, [], [0n, 0n]]) {
      l1.blobBaseFees = fees;
      expect((await world.source.feeQuote()).l1DataGasWei).toBeUndefined();
    }
    l1.blobBaseFees = [0n, 4n, 8n];
    expect((await world.source.feeQuote()).l1DataGasWei).toBe(6n);
  });
});
