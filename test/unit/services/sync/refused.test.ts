import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { keptPublicKey, type SyncCheck } from "#services/sync/index.ts";
import { SourceChain, type SourceBlockParts } from "#test/helpers/source-chain.ts";
import { SYNC_KEY, syncWorld } from "#test/helpers/sync-world.ts";

type World = Awaited<ReturnType<typeof syncWorld>>;

const refusals = (world: World): (SyncCheck | undefined)[] =>
  world.messagesOf("refused").map(({ refusal }) => refusal?.check);

describe("a block with an error", () => {
  const cases: readonly [SyncCheck, string, SourceBlockParts][] = [
    ["timestamp", "timestamp: 5, before 1700000009", { timestamp: 5 }],
    ["state_root", "the header has 0xbad", { newRoot: 0xbadn }],
  ];
  test.each(cases)("in its %s is refused and named, and not stored", async (check, text, parts) => {
    const chain = new SourceChain().grow(10);
    chain.add(parts);
    chain.grow(3);
    const world = await syncWorld(chain);
    await world.pass(60_000, 1_000);
    expect([world.latest(), world.failures]).toEqual([9, []]);
    // It is reported once, however often it is requested.
    expect(world.messagesOf("refused")).toHaveLength(1);
    expect(world.messagesOf("refused")[0]?.refusal).toMatchObject({ check, blockNumber: 10 });
    expect(world.messagesOf("refused")[0]?.refusal?.message).toContain(text);
    expect(world.source.distrusted).toBeGreaterThan(3);
    await world.close();
  });

  test("found by the verifier is refused after valid ones before it, and fetched from the next gateway", async () => {
    const chain = new SourceChain().grow(40);
    const world = await syncWorld(chain);
    const bad = chain.blocks[17]?.hash ?? 0n;
    const refusal = { check: "event_commitment", blockNumber: 17, message: "told 1" } as const;
    world.verifier.refused.set(bad, { kind: "refused", refusal });
    await world.until(() => world.source.distrusted > 0);
    expect([world.latest(), world.messagesOf("refused")]).toEqual([
      16,
      [{ kind: "refused", refusal }],
    ]);
    world.verifier.refused.clear();
    expect(await world.until(() => world.latest() === 39, 15_000)).toBe(true);
    expect(refusals(world)).toEqual(["event_commitment", undefined]);
    await world.close();
  });

  test("found by execution is refused before it is stored", async () => {
    const chain = new SourceChain().grow(10);
    const world = await syncWorld(chain, {
      execution: ({ block: { header } }) =>
        Promise.resolve(
          header.number === 6
            ? { check: "execution", blockNumber: 6, message: "storage: 1 and 2" }
            : undefined,
        ),
    });
    await world.pass(20_000);
    expect([world.latest(), refusals(world)]).toEqual([5, ["execution"]]);
    await world.close();
  });

  test("is requested again with growing delays of at most ten seconds", async () => {
    const chain = new SourceChain().grow(5);
    chain.add({ newRoot: 1n });
    const world = await syncWorld(chain);
    await world.pass(31_000);
    const first = world.source.distrusted;
    await world.pass(100_000);
    expect(first).toBeLessThanOrEqual(6);
    expect(world.source.distrusted - first).toBeGreaterThanOrEqual(8);
    expect(world.source.distrusted - first).toBeLessThanOrEqual(10);
    await world.close();
  });

  test("never causes more requests than the pipeline allows, even if others hang", async () => {
    const chain = new SourceChain().grow(5);
    chain.add({ newRoot: 1n });
    chain.grow(200);
    const world = await syncWorld(chain);
    for (let number = 6; number < 200; number++) world.source.hanging.add(number);
    await world.pass(600_000, 1_000);
    expect(world.source.mostOpen).toBeLessThanOrEqual(64);
    expect(world.latest()).toBe(4);
    await world.close();
  });

  test("in its form is refused", async () => {
    const chain = new SourceChain().grow(5);
    const world = await syncWorld(chain);
    let isBroken = true;
    world.source.before = (question) =>
      isBroken && question === "block 3"
        ? Promise.reject(new NodeError("NODE_BAD_ANSWER", "block_number: expected a number"))
        : Promise.resolve();
    await world.until(() => world.messagesOf("refused").length > 0);
    expect([world.latest(), refusals(world)]).toEqual([2, ["form"]]);
    isBroken = false;
    expect(await world.until(() => world.latest() === 4)).toBe(true);
    await world.close();
  });
});

describe("a gateway of another chain", () => {
  test("with another genesis ends the node at start, and changes nothing", async () => {
    const chain = new SourceChain().grow(5);
    const world = await syncWorld(chain);
    await world.until(() => world.latest() === 4);
    await world.service.stop();
    const other = new SourceChain().grow(9, 5n);
    const again = await syncWorld(other, { folder: world.folder });
    await again.pass(10_000);
    expect(again.messagesOf("otherChain")).toHaveLength(1);
    expect(again.messagesOf("otherChain")[0]?.message).toContain("another chain");
    expect([again.latest(), again.messagesOf("revert"), again.failures]).toEqual([4, [], []]);
    expect(again.folder.reader.header(4)?.hash).toBe(chain.head.hash);
    await again.close();
  });

  test("is recognized by the first block of a snapshot chain", async () => {
    const world = await syncWorld(new SourceChain().grow(5));
    await world.until(() => world.latest() === 4);
    await world.service.stop();
    const { connection } = world.folder.writing;
    connection.run("delete from block where number < 3");
    connection.run("insert into meta values ('oldest_block', x'33')");
    const again = await syncWorld(new SourceChain().grow(9, 5n), { folder: world.folder });
    await again.pass(10_000);
    expect(again.messagesOf("otherChain")[0]?.message).toContain("block 3 of the gateway is 0x");
    expect([again.latest(), again.messagesOf("revert"), again.failures]).toEqual([4, [], []]);
    await again.close();
  });

  test("is refused by its fee tokens", async () => {
    const world = await syncWorld(new SourceChain().grow(5));
    world.source.addresses = { starknet: 1n, nativeFeeToken: 0x58n, parentFeeToken: 0xe7n };
    await world.pass(10_000);
    expect([world.latest(), refusals(world)]).toEqual([-1, ["fee_token"]]);
    expect(world.messagesOf("refused")[0]?.refusal?.message).toContain("0x58");
    world.source.addresses = { starknet: 1n, nativeFeeToken: 0x57n, parentFeeToken: undefined };
    expect(await world.until(() => world.latest() === 4)).toBe(true);
    expect(refusals(world)).toEqual(["fee_token", undefined]);
    await world.close();
  });
});

describe("the sequencer's key", () => {
  test("is the first one reported, kept over restarts, and another one is refused", async () => {
    const chain = new SourceChain().grow(5);
    const world = await syncWorld(chain);
    await world.until(() => world.latest() === 4);
    expect(world.messagesOf("keyPinned")).toEqual([{ kind: "keyPinned", publicKey: SYNC_KEY }]);
    await world.service.stop();
    const again = await syncWorld(chain.grow(3), { folder: world.folder });
    again.source.key = 0xbadn;
    await again.pass(10_000);
    expect([again.latest(), refusals(again), again.messagesOf("keyPinned")]).toEqual([
      4,
      ["public_key"],
      [],
    ]);
    expect(again.messagesOf("refused")[0]?.refusal?.message).toContain("0xbad");
    again.source.key = SYNC_KEY;
    expect(await again.until(() => again.latest() === 7)).toBe(true);
    await again.close();
  });

  test("is refused by name if it changes during sync", async () => {
    const chain = new SourceChain().grow(5);
    const world = await syncWorld(chain);
    await world.until(() => world.latest() === 4);
    const { hash } = chain.add();
    world.verifier.learn(chain);
    const refusal = { check: "signature", blockNumber: 5, message: "another key's" } as const;
    world.verifier.refused.set(hash, { kind: "refused", refusal });
    world.source.key = 0xbadn;
    await world.pass(20_000);
    expect([world.latest(), refusals(world)]).toEqual([4, ["signature", "public_key"]]);
    await world.close();
  });

  test("of the configuration takes precedence, even if a gateway reports none", async () => {
    const chain = new SourceChain().grow(5);
    const world = await syncWorld(chain, { settings: { publicKey: 0xc0ffn } });
    world.source.before = (question) =>
      question === "key"
        ? Promise.reject(new NodeError("NODE_BAD_ANSWER", "no key"))
        : Promise.resolve();
    expect(await world.until(() => world.latest() === 4)).toBe(true);
    expect([[...world.verifier.keys], world.messagesOf("keyPinned")]).toEqual([[0xc0ffn], []]);
    expect(keptPublicKey(world.folder.reader)).toBe(0xc0ffn);
    await world.close();
  });
});
