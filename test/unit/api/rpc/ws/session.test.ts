import { expect, test } from "bun:test";
import { SubscriptionWorld } from "#test/helpers/subscription-world.ts";

const felts = (count: number): string[] => Array.from({ length: count }, (_, i) => `0x${i + 1}`);

test("filters of a connection share a limit of felts, which unsubscribing frees", async () => {
  const world = new SubscriptionWorld();
  const client = world.client("0.10.2", { maxFilterFelts: 20 });
  const events = { from_address: felts(5), keys: [["0x1"], ["0x2", "0x3"]] };
  const id = await client.subscribe("subscribeEvents", events);
  const params = { sender_address: felts(5), finality_status: ["RECEIVED", "PRE_CONFIRMED"] };
  await client.subscribe("subscribeNewTransactions", params);
  expect(await client.ask("starknet_subscribeEvents", { from_address: "0x1" })).toMatchObject({
    error: { code: -32603, data: expect.stringContaining("at most 20 addresses and keys") },
  });
  expect(await client.ask("starknet_subscribeEvents")).toHaveProperty("result");
  await client.ask("starknet_unsubscribe", [id]);
  expect(await client.ask("starknet_subscribeEvents", events)).toHaveProperty("result");
});

test("filters of all connections share a limit, which a closed connection frees", async () => {
  const world = new SubscriptionWorld();
  const limits = { maxAllFilterFelts: 36 };
  const [first, second] = [world.client("0.10.2", limits), world.client("0.10.2", limits)];
  await first.subscribe("subscribeNewHeads");
  await first.subscribe("subscribeEvents", { from_address: felts(4) });
  expect(await second.ask("starknet_subscribeNewHeads")).toMatchObject({
    error: { data: "the node has reached its subscription limit" },
  });
  first.session.end(Infinity);
  expect(world.filters.felts).toBe(0);
  expect(await second.ask("starknet_subscribeNewHeads")).toHaveProperty("result");
});

test("a closed connection cannot subscribe", async () => {
  const client = new SubscriptionWorld().client();
  client.isOpen = false;
  expect(await client.ask("starknet_subscribeNewHeads")).toMatchObject({
    error: { data: "the connection has ended" },
  });
});
