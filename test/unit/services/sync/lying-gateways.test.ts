import { describe, expect, test } from "bun:test";
import { MAX_MISSING_BLOCKS } from "#services/sync/chain-follower.ts";
import type { SyncCheck } from "#services/sync/index.ts";
import { SourceChain } from "#test/helpers/source-chain.ts";
import { SYNC_KEY, syncWorld } from "#test/helpers/sync-world.ts";

type World = Awaited<ReturnType<typeof syncWorld>>;

const refusals = (world: World): (SyncCheck | undefined)[] =>
  world.messagesOf("refused").map(({ refusal }) => refusal?.check);

/** Requires that blocks are signed with the known key. */
function signed(world: World): void {
  const { checkBlock } = world.verifier;
  world.verifier.checkBlock = (request) =>
    request.publicKey === SYNC_KEY
      ? checkBlock.call(world.verifier, request)
      : Promise.resolve({
          kind: "refused",
          refusal: { check: "signature", blockNumber: 0, message: "another key's" },
        });
}

describe("a key reported before any block", () => {
  test("is dropped if no block is signed with it, and the next gateway's is used", async () => {
    const world = await syncWorld(new SourceChain().grow(5));
    signed(world);
    world.source.key = 0xbadn;
    await world.pass(5_000);
    expect([world.latest(), world.messagesOf("keyPinned")]).toEqual([-1, []]);
    expect(refusals(world)).toEqual(["signature"]);
    world.source.key = SYNC_KEY;
    expect(await world.until(() => world.latest() === 4)).toBe(true);
    expect(world.messagesOf("keyPinned")).toEqual([{ kind: "keyPinned", publicKey: SYNC_KEY }]);
    await world.close();
  });

  test("is stored once, with the first block", async () => {
    const chain = new SourceChain().grow(1);
    const world = await syncWorld(chain);
    expect(await world.until(() => world.latest() === 0)).toBe(true);
    expect(world.messagesOf("keyPinned")).toHaveLength(1);
    await world.service.stop();
    const again = await syncWorld(chain.grow(4), { folder: world.folder });
    expect(await again.until(() => again.latest() === 4)).toBe(true);
    expect(again.messagesOf("keyPinned")).toEqual([]);
    await again.close();
  });
});

describe("a gateway with another genesis block", () => {
  const stored = async (): Promise<{ chain: SourceChain; world: World }> => {
    const chain = new SourceChain().grow(5);
    const world = await syncWorld(chain);
    await world.until(() => world.latest() === 4);
    await world.service.stop();
    return { chain: chain.grow(4), world };
  };

  test("changes nothing while another gateway has ours", async () => {
    const { chain, world } = await stored();
    const other = new SourceChain().grow(9, 5n);
    const options = { folder: world.folder, settings: { gatewayCount: 3 } };
    const again = await syncWorld(other, options);
    again.verifier.learn(chain);
    again.source.before = () => {
      // The first two gateways serve another chain.
      if (again.source.distrusted >= 2) again.source.chain = chain;
      return Promise.resolve();
    };
    expect(await again.until(() => again.latest() === 8)).toBe(true);
    expect(again.messagesOf("otherChain")).toEqual([]);
    await again.close();
  });

  test.each([
    ["is correct at the second attempt", 1],
    ["is correct at the third attempt", 2],
  ])("as a single source changes nothing if it %s", async (_, lies) => {
    const { chain, world } = await stored();
    const again = await syncWorld(new SourceChain().grow(9, 5n), { folder: world.folder });
    again.verifier.learn(chain);
    again.source.before = () => {
      if (again.source.distrusted >= lies) again.source.chain = chain;
      return Promise.resolve();
    };
    expect(await again.until(() => again.latest() === 8)).toBe(true);
    expect(again.messagesOf("otherChain")).toEqual([]);
    await again.close();
  });

  test("as a single source changes nothing if it has yet another one the next time", async () => {
    const { chain, world } = await stored();
    const others = [5n, 6n].map((seed) => new SourceChain().grow(9, seed));
    const again = await syncWorld(others[0] ?? chain, { folder: world.folder });
    again.verifier.learn(chain);
    let reads = 0;
    again.source.before = (what) => {
      const isGenesis = what === "reference 0";
      again.source.chain = (isGenesis ? others[reads++] : undefined) ?? chain;
      return Promise.resolve();
    };
    expect(await again.until(() => again.latest() === 8)).toBe(true);
    expect(again.messagesOf("otherChain")).toEqual([]);
    await again.close();
  });

  test("ends the node if all gateways have it", async () => {
    const { world } = await stored();
    const options = { folder: world.folder, settings: { gatewayCount: 3 } };
    const again = await syncWorld(new SourceChain().grow(9, 5n), options);
    await again.pass(5_000);
    expect(again.source.asked.filter((each) => each === "reference 0")).toHaveLength(3);
    expect(again.messagesOf("otherChain")).toHaveLength(1);
    await again.close();
  });
});

describe("a gateway that announces blocks but lacks the next one", () => {
  test("is replaced by another one after a while", async () => {
    const chain = new SourceChain().grow(10);
    const world = await syncWorld(chain);
    const rest = chain.fork(4);
    world.source.chain = rest;
    world.source.headOverride = chain.head;
    await world.pass((MAX_MISSING_BLOCKS + 3) * 1_000);
    expect([world.latest(), refusals(world)]).toEqual([4, ["block_number"]]);
    expect(world.messagesOf("refused")[0]?.refusal).toMatchObject({
      blockNumber: 5,
      message: "the gateway reports block 9, but does not have block 5",
    });
    expect(world.source.distrusted).toBeGreaterThan(0);
    world.source.chain = chain;
    expect(await world.until(() => world.latest() === 9)).toBe(true);
    expect(refusals(world)).toEqual(["block_number", undefined]);
    await world.close();
  });
});

test("blames the response that contained a refused block, at its check or its application", async () => {
  const chain = new SourceChain().grow(3);
  chain.add({ newRoot: 0xbadn });
  const world = await syncWorld(chain);
  const texts: object[] = [];
  const { wholeBlock } = world.source;
  world.source.wholeBlock = async (number) => {
    const text = await wholeBlock.call(world.source, number);
    if (number === 3 && text !== undefined) texts.push(text);
    return text;
  };
  await world.until(() => world.source.distrusted > 0);
  expect(refusals(world)).toEqual(["state_root"]);
  expect(world.source.blamed[0]).toBe(texts[0]);
  const refusal = { check: "event_commitment", blockNumber: 3, message: "told 1" } as const;
  world.verifier.refused.set(chain.head.hash, { kind: "refused", refusal });
  await world.until(() => world.source.distrusted > 1);
  expect(refusals(world)).toEqual(["state_root", "event_commitment"]);
  expect(world.source.blamed[1]).toBe(texts.at(-1));
  await world.close();
});
