import { describe, expect, test } from "bun:test";
import { StorageError } from "#base/errors/index.ts";
import { SourceChain } from "#test/helpers/source-chain.ts";
import { createRandom } from "#test/helpers/random.ts";
import { syncWorld } from "#test/helpers/sync-world.ts";

const HOUR_MS = 3_600_000;

describe("a follower", () => {
  test("imports all blocks of a gateway in order, and continues at its tip", async () => {
    const chain = new SourceChain().grow(70);
    const world = await syncWorld(chain);
    expect(await world.until(() => world.latest() === 69)).toBe(true);
    chain.grow(2);
    world.verifier.learn(chain);
    expect(await world.until(() => world.latest() === 71)).toBe(true);
    const accepted = world.messagesOf("accepted").map(({ blockNumber }) => blockNumber);
    expect(accepted).toEqual(Array.from({ length: 72 }, (_, i) => i));
    expect(world.folder.reader.header(71)?.hash).toBe(chain.head.hash);
    expect([world.source.mostOpen, world.failures]).toEqual([32, []]);
    await world.close();
  });

  test("notifies query threads of a block before the main thread", async () => {
    const world = await syncWorld(new SourceChain().grow(3));
    await world.until(() => world.latest() === 2);
    const order = world.order.filter((line) => line.endsWith("accepted"));
    expect(order).toEqual(
      Array.from({ length: 3 }, () => ["query accepted", "main accepted"]).flat(),
    );
    await world.close();
  });

  test("reports its progress", async () => {
    const chain = new SourceChain().grow(3);
    const world = await syncWorld(chain);
    await world.until(() => world.latest() === 2);
    const progress = world.messagesOf("progress").map(({ progress }) => progress);
    const at = (number: number) => ({ number, hash: chain.blocks[number]?.hash ?? 0n });
    expect(progress[0]).toEqual({ starting: undefined, current: undefined, highest: undefined });
    expect(progress.at(-1)).toEqual({ starting: undefined, current: at(2), highest: at(2) });
    expect(progress.map(({ highest }) => highest?.number)).toEqual([undefined, 2, 2, 2, 2]);
    await world.close();
  });

  test("measures fetching, checking and applying of each block", async () => {
    const world = await syncWorld(new SourceChain().grow(2));
    await world.until(() => world.latest() === 1);
    const stages = world.messagesOf("stage").map(({ stage }) => stage);
    for (const stage of ["fetch", "check", "apply", "execute"] as const) {
      expect(stages.filter((each) => each === stage)).toHaveLength(2);
    }
    await world.close();
  });

  test("resumes from the stored blocks", async () => {
    const chain = new SourceChain().grow(20);
    const world = await syncWorld(chain, { settings: { stopAt: 7 } });
    await world.until(() => world.latest() === 7);
    await world.service.stop();
    const again = await syncWorld(chain, { folder: world.folder });
    expect(await again.until(() => again.latest() === 19)).toBe(true);
    expect(again.source.asked.filter((each) => each === "block 7")).toEqual([]);
    expect(again.messagesOf("progress")[0]?.progress.starting?.number).toBe(7);
    await again.close();
  });

  test("stops at the configured block, and requests nothing more", async () => {
    const chain = new SourceChain().grow(20);
    const world = await syncWorld(chain, { settings: { stopAt: 7 } });
    world.source.answerPreConfirmed = () => ({ kind: "unchanged" });
    await world.until(() => world.latest() === 7);
    await world.pass(5_000);
    const { length } = world.source.asked;
    await world.pass(60_000);
    expect([world.latest(), world.source.asked.length]).toEqual([7, length]);
    expect(world.source.asked.some((each) => each.startsWith("pre-confirmed"))).toBe(false);
    expect(world.source.asked).not.toContain("block 8");
    await world.close();
  });

  test("records L1 acceptance reported by the gateway and by the main thread", async () => {
    const chain = new SourceChain();
    for (let number = 0; number < 6; number++) chain.add({ isOnL1: number < 3 });
    const world = await syncWorld(chain);
    await world.until(() => world.latest() === 5);
    expect(world.folder.reader.l1AcceptedNumber()).toBe(2);
    const hash = chain.blocks[4]?.hash ?? 0n;
    // For a block that was replaced meanwhile, and for one that is missing.
    world.main.tell({ kind: "settleOnL1", id: 7, blockNumber: 4, blockHash: hash + 1n });
    world.main.tell({ kind: "settleOnL1", id: 8, blockNumber: 9, blockHash: hash });
    expect(world.folder.reader.l1AcceptedNumber()).toBe(2);
    world.main.tell({ kind: "settleOnL1", id: 9, blockNumber: 4, blockHash: hash });
    expect(world.folder.reader.l1AcceptedNumber()).toBe(4);
    expect(world.messagesOf("settledOnL1")).toEqual([
      { kind: "settledOnL1", id: 7, isDone: false },
      { kind: "settledOnL1", id: 8, isDone: false },
      { kind: "settledOnL1", id: 9, isDone: true },
    ]);
    await world.close();
  });

  test("ignores the gateway's L1 status if the node follows L1 itself", async () => {
    const chain = new SourceChain();
    for (let number = 0; number < 6; number++) chain.add({ isOnL1: number < 3 });
    const world = await syncWorld(chain, { settings: { takesL1Status: false } });
    await world.until(() => world.latest() === 5);
    expect(world.folder.reader.l1AcceptedNumber()).toBeUndefined();
    await world.close();
  });

  test("applies blocks in order for any order of responses", async () => {
    const random = createRandom(20_261_123);
    for (let round = 0; round < 8; round++) {
      const chain = new SourceChain().grow(40);
      const world = await syncWorld(chain, {
        settings: { pipeline: { maxBlocks: 1 + random.below(32), maxBytes: 1 << 20 } },
      });
      world.source.before = (question) =>
        question.startsWith("block ")
          ? new Promise((next) => void world.timer.after(1 + random.below(5_000), next))
          : Promise.resolve();
      expect(await world.until(() => world.latest() === 39, 400_000, 500)).toBe(true);
      const accepted = world.messagesOf("accepted").map(({ blockNumber }) => blockNumber);
      expect(accepted).toEqual(Array.from({ length: 40 }, (_, i) => i));
      await world.close();
    }
  });

  test("requests signatures separately once it knows that they are missing in blocks", async () => {
    const world = await syncWorld(new SourceChain().grow(40));
    world.verifier.needsSignature = true;
    expect(await world.until(() => world.latest() === 39)).toBe(true);
    const asked = world.source.asked.filter((each) => each.startsWith("signature"));
    expect(new Set(asked).size).toBe(40);
    await world.close();
  });
});

describe("a slow or unavailable gateway", () => {
  test("with a missing block is awaited, while others are fetched up to the limit", async () => {
    const chain = new SourceChain().grow(100);
    const world = await syncWorld(chain);
    world.source.hanging.add(10);
    await world.until(() => world.latest() === 9);
    await world.pass(120_000, 5_000);
    expect(world.latest()).toBe(9);
    const asked = world.source.asked.filter((each) => each.startsWith("block "));
    expect([asked.length, world.messagesOf("refused")]).toEqual([10 + 32, []]);
    // It still sees new blocks.
    expect(world.messagesOf("progress").at(-1)?.progress.highest?.number).toBe(99);
    world.source.hanging.clear();
    world.source.wake();
    expect(await world.until(() => world.latest() === 99)).toBe(true);
    await world.close();
  });

  test("with large blocks receives few concurrent requests", async () => {
    const chain = new SourceChain().grow(40);
    const world = await syncWorld(chain, {
      settings: { pipeline: { maxBlocks: 32, maxBytes: 256 * 1024 } },
    });
    for (let number = 0; number < 40; number++) world.source.hanging.add(number);
    await world.pass(5_000);
    // Their size is unknown at first: each counts as 64 KiB.
    expect(world.source.mostOpen).toBe(4);
    world.source.hanging.clear();
    world.source.wake();
    expect(await world.until(() => world.latest() === 39)).toBe(true);
    await world.close();
  });

  test("for two hours is awaited without more requests, and then followed", async () => {
    const chain = new SourceChain().grow(10);
    const world = await syncWorld(chain);
    await world.until(() => world.latest() === 9);
    world.source.isOffline = true;
    chain.grow(50);
    world.verifier.learn(chain);
    await world.pass(5_000);
    const { length } = world.source.asked;
    await world.pass(2 * HOUR_MS, 60_000);
    expect([world.source.asked.length - length, world.timer.alarms < 4]).toEqual([0, true]);
    world.source.isOffline = false;
    world.source.wake();
    expect(await world.until(() => world.latest() === 59)).toBe(true);
    expect(world.failures).toEqual([]);
    await world.close();
  });

  test("with a block on only one replica receives the request again", async () => {
    const chain = new SourceChain().grow(10);
    const world = await syncWorld(chain);
    const ahead = chain.fork(9).grow(3);
    world.verifier.learn(ahead);
    world.source.headOverride = ahead.head;
    await world.until(() => world.latest() === 9);
    await world.pass(5_000);
    expect([world.latest(), world.messagesOf("refused")]).toEqual([9, []]);
    world.source.chain = ahead;
    expect(await world.until(() => world.latest() === 12)).toBe(true);
    await world.close();
  });
});

describe("an end", () => {
  test("at any moment leaves whole blocks, and the next start resumes", async () => {
    const random = createRandom(20_261_124);
    const chain = new SourceChain().grow(60);
    let world = await syncWorld(chain);
    const { folder } = world;
    for (let round = 0; round < 12; round++) {
      const before = world.latest();
      world.source.before = () =>
        new Promise((next) => void world.timer.after(random.below(2_000), next));
      await world.pass(random.below(4_000), 100);
      await world.service.stop();
      expect(world.failures).toEqual([]);
      const latest = world.latest();
      expect(latest).toBeGreaterThanOrEqual(before);
      if (latest >= 0) expect(folder.reader.header(latest)?.hash).toBe(chain.blocks[latest]?.hash);
      expect(folder.reader.header(latest + 1)).toBeUndefined();
      world = await syncWorld(chain, { folder });
    }
    expect(await world.until(() => world.latest() === 59)).toBe(true);
    await world.close();
  });

  test("by a full disk stores nothing afterwards, and resumes with free space", async () => {
    const chain = new SourceChain().grow(30);
    const world = await syncWorld(chain, {
      commit(commit, writer) {
        if (commit.block.header.number === 12)
          throw new StorageError("STORAGE_FAILED", "disk full");
        writer.commitBlock(commit);
      },
    });
    await world.until(() => world.failures.length > 0);
    expect(world.failures).toMatchObject([{ code: "STORAGE_FAILED" }]);
    await world.pass(30_000, 1_000);
    expect([world.latest(), world.failures.length]).toEqual([11, 1]);
    await world.service.stop();
    const again = await syncWorld(chain, { folder: world.folder });
    expect(await again.until(() => again.latest() === 29)).toBe(true);
    await again.close();
  });
});
