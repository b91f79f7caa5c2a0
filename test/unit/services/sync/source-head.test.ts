import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { SourceChain } from "#test/helpers/source-chain.ts";
import { syncWorld } from "#test/helpers/sync-world.ts";

type World = Awaited<ReturnType<typeof syncWorld>>;

const heads = (world: World) =>
  world.messagesOf("sourceHead").map(({ blockNumber }) => blockNumber);
const highest = (world: World) => world.messagesOf("progress").at(-1)?.progress.highest?.number;

describe("a follower", () => {
  test("reports each response about the source's newest block, even while blocks do not arrive", async () => {
    const chain = new SourceChain().grow(5);
    const world = await syncWorld(chain);
    await world.until(() => world.latest() === 4);
    world.source.hanging.add(5);
    world.verifier.learn(chain.grow(3));
    const before = heads(world).length;
    await world.pass(5_000);
    expect(heads(world).slice(before)).toEqual(Array(5).fill(7));
    expect([world.latest(), highest(world)]).toEqual([4, 7]);
    await world.close();
  });

  test("reports the source's newest block even while it waits after a refusal", async () => {
    const chain = new SourceChain().grow(5);
    chain.add({ newRoot: 0xbadn });
    const world = await syncWorld(chain);
    await world.pass(20_000);
    world.verifier.learn(chain.grow(20));
    await world.pass(1_250);
    expect([world.latest(), highest(world)]).toEqual([4, 25]);
    await world.close();
  });

  test("reports nothing while the newest block is unavailable", async () => {
    const world = await syncWorld(new SourceChain().grow(5));
    await world.until(() => world.latest() === 4);
    world.source.before = (question) =>
      question === "head"
        ? Promise.reject(new NodeError("NODE_BAD_ANSWER", "no number"))
        : Promise.resolve();
    const before = heads(world).length;
    await world.pass(20_000);
    expect(heads(world).length).toBe(before);
    await world.close();
  });

  test("reports a source without blocks", async () => {
    const world = await syncWorld(new SourceChain());
    await world.pass(1_000);
    expect(new Set(heads(world))).toEqual(new Set([null]));
    await world.close();
  });
});
