import { describe, expect, test } from "bun:test";
import { encodeLocation, encodeNumber } from "#io/origin/index.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { FORK, forkWorld, originBlock } from "#test/helpers/fork-context.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { eventOf, SubscriptionWorld } from "#test/helpers/subscription-world.ts";

const hashOf = (number: number): bigint => BigInt(0x50 + number);
const blockOf = (number: number) => ({
  header: { number },
  transactions: [{ hash: hashOf(number), transaction: INVOKE_V3 }],
  receipts: [fakeReceipt({ transactionHash: hashOf(number), events: [eventOf([1n])] })],
});
const LOCAL = [blockOf(FORK + 1), blockOf(FORK + 2)];
const BLOCKS = Array.from(
  { length: FORK + 1 },
  (_, number) => [`block ${number}`, originBlock(blockOf(number))] as const,
);

/** Subscriptions on a fork whose origin has these values. */
function worldOf(values: Iterable<readonly [string, Uint8Array | null]>) {
  const { context, asked } = forkWorld({ values: new Map(values), local: LOCAL });
  const { chain, fork } = context;
  return { asked, world: new SubscriptionWorld({ chain, fork }) };
}

describe("a subscription from a block of a fork's origin", () => {
  test("gets every head up to the newest block, each once", async () => {
    const { world } = worldOf(BLOCKS);
    const client = world.client();
    const id = await client.subscribe("subscribeNewHeads", { block_id: { block_number: 1 } });
    await world.settle();
    expect(client.results(id).map(({ block_number }) => block_number)).toEqual([1, 2, 3, 4, 5]);
  });

  test("gets every event up to the newest block, each once", async () => {
    const { world } = worldOf([...BLOCKS, ["l1Accepted", encodeNumber(2)]]);
    const client = world.client();
    const id = await client.subscribe("subscribeEvents", { block_id: { block_number: 1 } });
    await world.settle();
    expect(client.pairs(id, "block_number", "transaction_hash")).toEqual(
      [1, 2, 3, 4, 5].map((number) => `${number}:0x${hashOf(number).toString(16)}`),
    );
  });

  test("fetches several blocks together", async () => {
    const { world, asked } = worldOf(BLOCKS);
    const block_id = { block_number: 0 };
    await world.client().subscribe("subscribeNewHeads", { block_id });
    await world.settle();
    expect(asked).toEqual(["block 0", "block 1", "block 2", "block 3"]);
  });

  test("ends when the origin is lost, without an internal error", async () => {
    const { world } = worldOf([]);
    const client = world.client();
    await client.subscribe("subscribeNewHeads", { block_id: { block_number: 1 } });
    await world.settle();
    expect(client.hasFailed).toBeTrue();
    expect(world.internalErrors).toEqual([]);
  });

  test("starts with a block that the origin finds by hash", async () => {
    const { world } = worldOf([...BLOCKS, ["numberByHash 0xabc", encodeNumber(2)]]);
    const client = world.client();
    const id = await client.subscribe("subscribeNewHeads", { block_id: { block_hash: "0xabc" } });
    await world.settle();
    expect(client.results(id)[0]?.["block_number"]).toBe(2);
  });
});

describe("a status subscription on a fork", () => {
  test("reports a transaction of the origin", async () => {
    const { world } = worldOf([
      ...BLOCKS,
      ["locate 0x52", encodeLocation({ blockNumber: 2, index: 0 })],
      ["l1Accepted", null],
    ]);
    const client = world.client();
    const params = { transaction_hash: "0x52" };
    const id = await client.subscribe("subscribeTransactionStatus", params);
    await world.settle();
    expect(client.results(id)).toHaveLength(1);
  });

  test("stays open for an unknown transaction while the origin is lost", async () => {
    const { world } = worldOf([]);
    const client = world.client();
    await client.subscribe("subscribeTransactionStatus", { transaction_hash: "0x99" });
    await world.settle();
    expect(client.hasFailed).toBeFalse();
    expect(world.internalErrors).toEqual([]);
  });
});
