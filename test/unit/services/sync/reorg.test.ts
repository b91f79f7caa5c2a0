import { describe, expect, test } from "bun:test";
import { REVERT_WAIT_MS } from "#services/sync/chain-follower.ts";
import { MAX_BRANCH_BLOCKS } from "#services/sync/other-branch.ts";
import type { SyncCheck } from "#services/sync/index.ts";
import { SourceChain } from "#test/helpers/source-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { syncWorld } from "#test/helpers/sync-world.ts";

type World = Awaited<ReturnType<typeof syncWorld>>;

/** A follower at the tip of a chain. */
async function atTip(chain: SourceChain): Promise<World> {
  const world = await syncWorld(chain);
  const { number } = chain.head;
  if (!(await world.until(() => world.latest() === number))) throw new RangeError("it lags");
  return world;
}

/** Makes the gateway serve another chain. */
function turnTo(world: World, chain: SourceChain): void {
  world.verifier.learn(chain);
  world.source.chain = chain;
}

/** Does what the main thread does: stops the thread, reverts the chain, starts again. */
async function reverted(world: World): Promise<World> {
  const [order] = world.messagesOf("revert");
  await world.service.stop();
  if (order === undefined) throw new RangeError("no revert was asked for");
  world.folder.writer.revertTo(order.blockNumber);
  return syncWorld(world.source.chain, { folder: world.folder });
}

/** Removes the blocks before `first`, as on a chain from a snapshot. */
function beginWith({ folder }: World, first: number): void {
  const { connection } = folder.writing;
  connection.run(`delete from block where number < ${first}`);
  connection.run(`insert into meta values ('oldest_block', cast('${first}' as blob))`);
}

const blocksAsked = ({ source }: World, from: number): number[] =>
  source.asked
    .slice(from)
    .filter((question) => question.startsWith("block "))
    .map((question) => Number(question.slice(6)));

const refusals = (world: World): (SyncCheck | undefined)[] =>
  world.messagesOf("refused").map(({ refusal }) => refusal?.check);

/** Blocks of a long branch. */
const LONG = bySize({ quick: 300, full: 700 });

describe("another branch", () => {
  test("of one block at the tip is verified, reverted to once, and followed", async () => {
    const chain = new SourceChain().grow(20);
    const world = await atTip(chain);
    turnTo(world, chain.fork(18).grow(1, 2n));
    expect(await world.until(() => world.messagesOf("revert").length > 0, 3_000)).toBe(true);
    const hash = chain.blocks[18]?.hash ?? 0n;
    await world.pass(30_000);
    expect(world.messagesOf("revert")).toEqual([
      { kind: "revert", blockNumber: 18, blockHash: hash },
    ]);
    const again = await reverted(world);
    expect(await again.until(() => again.latest() === 19)).toBe(true);
    expect(again.folder.reader.header(19)?.hash).toBe(world.source.chain.head.hash);
    expect([refusals(world), refusals(again)]).toEqual([[], []]);
    await again.close();
  });

  test("that appears during sync is detected immediately", async () => {
    const chain = new SourceChain().grow(200);
    const world = await syncWorld(chain);
    world.source.hanging.add(60);
    await world.until(() => world.latest() === 59);
    turnTo(world, chain.fork(30).grow(100, 2n));
    world.source.hanging.clear();
    world.source.wake();
    expect(await world.until(() => world.messagesOf("revert").length > 0, 5_000)).toBe(true);
    expect(world.messagesOf("revert")[0]?.blockNumber).toBe(30);
    expect(world.latest()).toBe(59);
    const again = await reverted(world);
    expect(await again.until(() => again.latest() === 130)).toBe(true);
    await again.close();
  });

  test("is detected even while a block does not arrive", async () => {
    const chain = new SourceChain().grow(50);
    const world = await syncWorld(chain);
    world.source.hanging.add(40);
    await world.until(() => world.latest() === 39);
    turnTo(world, chain.fork(20).grow(5, 2n));
    expect(await world.until(() => world.messagesOf("revert").length > 0, 3_000)).toBe(true);
    expect(world.messagesOf("revert")[0]?.blockNumber).toBe(20);
    await world.close();
  });

  test("of many blocks with a much lower tip is detected at the next poll", async () => {
    const chain = new SourceChain().grow(60 + LONG);
    const world = await atTip(chain);
    const other = chain.fork(49).grow(100, 2n);
    turnTo(world, other);
    const { length } = world.source.asked;
    expect(await world.until(() => world.messagesOf("revert").length > 0, 2_000)).toBe(true);
    expect(world.messagesOf("revert")).toMatchObject([{ blockNumber: 49 }]);
    // The whole other branch was verified, each block once, and hardly more.
    const asked = blocksAsked(world, length);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.filter((number) => number > 49).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => 50 + i),
    );
    expect(asked.length).toBeLessThanOrEqual(100 + MAX_BRANCH_BLOCKS);
    const again = await reverted(world);
    expect(await again.until(() => again.latest() === 149)).toBe(true);
    await again.close();
  });

  test("that is longer but unsigned reverts nothing", async () => {
    const chain = new SourceChain().grow(30);
    const world = await atTip(chain);
    const forged = chain.fork(20).grow(40, 3n);
    for (const { hash, number } of forged.blocks.slice(21)) {
      const refusal = {
        check: "signature",
        blockNumber: number,
        message: "not the key's",
      } as const;
      world.verifier.refused.set(hash, { kind: "refused", refusal });
    }
    turnTo(world, forged);
    await world.pass(120_000);
    expect([world.messagesOf("revert"), world.latest()]).toEqual([[], 29]);
    expect(new Set(refusals(world))).toEqual(new Set(["signature"]));
    expect(world.source.distrusted).toBeGreaterThan(5);
    // The honest gateway takes its place, and is followed.
    turnTo(world, chain.fork(29).grow(5));
    expect(await world.until(() => world.latest() === 34)).toBe(true);
    expect(refusals(world).at(-1)).toBeUndefined();
    await world.close();
  });

  test("with inconsistent blocks reverts nothing", async () => {
    const chain = new SourceChain().grow(30);
    const world = await atTip(chain);
    const torn = chain.fork(20).grow(2, 2n);
    torn.add({ parentHash: 0xbadn }, 2n);
    torn.grow(2, 2n);
    turnTo(world, torn);
    await world.pass(30_000);
    expect([world.messagesOf("revert"), new Set(refusals(world))]).toEqual([
      [],
      new Set(["parent_hash"]),
    ]);
    await world.close();
  });

  test("that is announced but missing reverts nothing", async () => {
    const chain = new SourceChain().grow(30);
    const world = await atTip(chain);
    world.source.headOverride = { number: 12, hash: 0xbadn };
    await world.pass(30_000);
    expect([world.messagesOf("revert"), world.latest()]).toEqual([[], 29]);
    expect(world.messagesOf("refused")[0]?.refusal?.message).toContain("0xbad");
    await world.close();
  });

  test("invented by one gateway is not held against the next one", async () => {
    const chain = new SourceChain().grow(30);
    const world = await atTip(chain);
    world.source.headOverride = { number: 12, hash: 0xbadn };
    await world.until(() => world.source.distrusted > 0);
    world.source.headOverride = undefined;
    // The next gateway takes its time to report its newest block.
    world.source.before = (question) =>
      question === "head"
        ? new Promise((next) => void world.timer.after(5_000, next))
        : Promise.resolve();
    await world.pass(20_000);
    expect([world.source.distrusted, refusals(world)]).toEqual([1, ["parent_hash", undefined]]);
    await world.close();
  });

  test("is not suspected of a replica that lags three blocks", async () => {
    const chain = new SourceChain().grow(30);
    const world = await atTip(chain);
    const { length } = world.source.asked;
    turnTo(world, chain.fork(26));
    await world.pass(30_000);
    expect([world.messagesOf("revert"), refusals(world), world.latest()]).toEqual([[], [], 29]);
    expect(blocksAsked(world, length)).toEqual([]);
    expect(world.messagesOf("progress").at(-1)?.progress.highest?.number).toBe(29);
    await world.close();
  });

  test("never reverts blocks accepted on L1", async () => {
    const chain = new SourceChain();
    for (let number = 0; number < 20; number++) chain.add({ isOnL1: number <= 10 });
    const world = await atTip(chain);
    turnTo(world, chain.fork(9).grow(15, 2n));
    await world.pass(20_000);
    expect([world.messagesOf("revert"), world.latest()]).toEqual([[], 19]);
    const { refusal } = world.messagesOf("refused")[0] ?? {};
    expect(refusal).toMatchObject({ check: "parent_hash", blockNumber: 10 });
    expect(refusal?.message).toContain("ACCEPTED_ON_L1");
    // Above that block, it does.
    turnTo(world, chain.fork(10).grow(3, 2n));
    expect(await world.until(() => world.messagesOf("revert").length > 0, 15_000)).toBe(true);
    expect(world.messagesOf("revert")[0]?.blockNumber).toBe(10);
    await world.close();
  });

  test("from before the first block of a snapshot chain reverts nothing", async () => {
    const chain = new SourceChain().grow(20);
    const world = await atTip(chain);
    beginWith(world, 15);
    turnTo(world, chain.fork(12).grow(30, 2n));
    await world.pass(120_000);
    expect([world.messagesOf("revert"), world.latest()]).toEqual([[], 19]);
    const [{ refusal } = { refusal: undefined }] = world.messagesOf("refused");
    expect(refusal).toMatchObject({ check: "parent_hash", blockNumber: 15 });
    expect(refusal?.message).toContain("made from a snapshot and begins with block 15");
    await world.close();
  });

  test("down to the first block of a snapshot chain is followed", async () => {
    const chain = new SourceChain().grow(20);
    const world = await atTip(chain);
    beginWith(world, 15);
    turnTo(world, chain.fork(15).grow(10, 2n));
    expect(await world.until(() => world.messagesOf("revert").length > 0, 5_000)).toBe(true);
    expect(world.messagesOf("revert")[0]?.blockNumber).toBe(15);
    const again = await reverted(world);
    expect(await again.until(() => again.latest() === 25)).toBe(true);
    await again.close();
  });

  test("from the genesis on is another chain, and reverts nothing", async () => {
    const chain = new SourceChain().grow(10);
    const world = await atTip(chain);
    turnTo(world, new SourceChain().grow(12, 7n));
    await world.pass(20_000);
    expect([world.messagesOf("revert"), world.messagesOf("otherChain"), world.latest()]).toEqual([
      [],
      [],
      9,
    ]);
    expect(new Set(refusals(world))).toEqual(new Set(["genesis"]));
    await world.close();
  });

  test("is requested again if no revert happens", async () => {
    const chain = new SourceChain().grow(10);
    const world = await atTip(chain);
    turnTo(world, chain.fork(7).grow(2, 2n));
    await world.until(() => world.messagesOf("revert").length > 0);
    await world.pass(REVERT_WAIT_MS + 5_000, 1_000);
    expect(world.messagesOf("revert").map(({ blockNumber }) => blockNumber)).toEqual([7, 7]);
    await world.close();
  });
});
