import { expect, test } from "bun:test";
import { fixtureTest } from "#test/helpers/shared.ts";
import { loadWsOpenRpc } from "#test/helpers/ws-openrpc.ts";
import { SubscriptionWorld } from "#test/helpers/subscription-world.ts";

const sharedTest = fixtureTest("rpc-spec");

const INVALID = { error: { code: 66, message: "Invalid subscription id" } };

test("ends a subscription once", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeNewHeads", { block_id: { block_number: 0 } });
  expect(await client.ask("starknet_unsubscribe", [id])).toEqual({ result: true });
  expect(await client.ask("starknet_unsubscribe", [id])).toEqual(INVALID);
  world.accept();
  await world.settle();
  expect(client.notifications).toEqual([]);
});

test("does not end subscriptions of another connection", async () => {
  const world = new SubscriptionWorld();
  const id = await world.client().subscribe("subscribeNewHeads");
  expect(await world.client().ask("starknet_unsubscribe", [id])).toEqual(INVALID);
});

test("accepts ids as strings, and in 0.8 as integers too", async () => {
  const world = new SubscriptionWorld();
  for (const [version, asText, asNumber] of [
    ["0.10.2", { result: true }, { error: { code: -32602 } }],
    ["0.8.1", { result: true }, { result: true }],
  ] as const) {
    const client = world.client(version);
    const first = await client.subscribe("subscribeNewHeads");
    const second = await client.subscribe("subscribeNewHeads");
    expect(await client.ask("starknet_unsubscribe", [first])).toEqual(asText);
    expect(await client.ask("starknet_unsubscribe", [Number(second)])).toMatchObject(asNumber);
  }
});

test("frees a place for another subscription at the limit", async () => {
  const client = new SubscriptionWorld().client("0.10.2", { maxSubscriptions: 2 });
  const id = await client.subscribe("subscribeNewHeads");
  await client.subscribe("subscribeEvents");
  expect(await client.ask("starknet_subscribeNewHeads")).toMatchObject({
    error: { code: -32603, data: "a connection has at most 2 subscriptions" },
  });
  await client.ask("starknet_unsubscribe", [id]);
  expect(await client.ask("starknet_subscribeNewHeads")).toHaveProperty("result");
});

sharedTest("subscription ids and unsubscribe results match the OpenRPC documents", async () => {
  for (const version of ["0.10.2", "0.9.0", "0.8.1"]) {
    const client = new SubscriptionWorld().client(version);
    const { resultFindings } = loadWsOpenRpc(version);
    for (const method of ["subscribeNewHeads", "subscribeEvents"]) {
      const id = await client.subscribe(method);
      const { result } = await client.ask("starknet_unsubscribe", [id]);
      expect(resultFindings(method, id)).toEqual([]);
      expect(resultFindings("unsubscribe", result)).toEqual([]);
    }
  }
});
