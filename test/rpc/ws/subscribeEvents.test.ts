import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { fixtureTest } from "#test/helpers/shared.ts";
import { eventOf, SubscriptionWorld } from "#test/helpers/subscription-world.ts";
import { findingsOf } from "#test/helpers/ws-openrpc.ts";

const sharedTest = fixtureTest("rpc-spec");

for (const [version, params, count] of [
  ["0.10.2", { finality_status: "PRE_CONFIRMED" }, 4],
  ["0.9.0", { finality_status: "PRE_CONFIRMED" }, 4],
  ["0.8.1", {}, 2],
] as const) {
  sharedTest(`subscribeEvents notifications of ${version} match its OpenRPC document`, async () => {
    const world = new SubscriptionWorld();
    const client = world.client(version);
    await client.subscribe("subscribeEvents", params);
    world.execute([eventOf([1n]), eventOf([])]);
    await world.settle();
    world.accept();
    await world.settle();
    expect(findingsOf(client, version)).toEqual({ count, findings: [] });
  });
}

/** Addresses and keys of the events that match a subscription, from one block of events. */
async function matchesOf(params: JsonValue, version?: string): Promise<unknown> {
  const world = new SubscriptionWorld();
  const client = world.client(version);
  const id = await client.subscribe("subscribeEvents", params);
  await world.settle();
  world.execute([eventOf([1n, 5n], 0xan), eventOf([2n], 0xbn)]);
  world.execute([eventOf([1n], 0xbn), eventOf([], 0xcn)]);
  world.accept();
  await world.settle();
  return client.pairs(id, "from_address", "keys");
}

describe("subscribeEvents filter", () => {
  const cases = [
    ["matches all events if empty", {}, ["0xa:0x1,0x5", "0xb:0x2", "0xb:0x1", "0xc:"]],
    ["matches an address", { from_address: "0xb" }, ["0xb:0x2", "0xb:0x1"]],
    ["matches several addresses", { from_address: ["0xb", "0xc"] }, ["0xb:0x2", "0xb:0x1", "0xc:"]],
    ["matches alternatives of the first key", { keys: [["0x2", "0x3"]] }, ["0xb:0x2"]],
    ["matches any first key", { keys: [[], ["0x5"]] }, ["0xa:0x1,0x5"]],
    [
      "matches an address and a key together",
      { from_address: "0xb", keys: [["0x1"]] },
      ["0xb:0x1"],
    ],
    [
      "matches all events for an empty list of addresses",
      { from_address: [] },
      ["0xa:0x1,0x5", "0xb:0x2", "0xb:0x1", "0xc:"],
    ],
  ] as const;
  for (const [what, params, expected] of cases) {
    test(what, async () => {
      expect(await matchesOf(params as JsonValue)).toEqual([...expected]);
    });
  }

  test("notifies once if an address is listed twice", async () => {
    expect(await matchesOf({ from_address: ["0xa", "0xa"] })).toEqual(["0xa:0x1,0x5"]);
  });
});

test("events have their indexes", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeEvents");
  world.execute([eventOf([1n])]);
  const second = world.execute([eventOf([2n]), eventOf([3n])]);
  world.accept();
  await world.settle();
  expect(client.results(id).at(-1)).toEqual({
    from_address: "0xc0",
    keys: ["0x3"],
    data: ["0xd"],
    block_hash: "0xb10c1",
    block_number: 1,
    transaction_hash: `0x${second.toString(16)}`,
    transaction_index: 1,
    event_index: 1,
    finality_status: "ACCEPTED_ON_L2",
  });
});

test("events of blocks accepted on L1 have that finality", async () => {
  const world = new SubscriptionWorld();
  world.execute([eventOf([1n])]);
  world.accept();
  Object.assign(world.context.chain, { l1AcceptedNumber: () => 1 });
  const client = world.client();
  const id = await client.subscribe("subscribeEvents", { block_id: { block_number: 1 } });
  await world.settle();
  expect(client.results(id)).toMatchObject([{ finality_status: "ACCEPTED_ON_L1" }]);
});

describe("subscribeEvents is rejected", () => {
  const ask = (params: JsonValue, version?: string): Promise<unknown> =>
    new SubscriptionWorld().client(version).ask("starknet_subscribeEvents", params);
  const felts = (count: number): string[] => Array.from({ length: count }, (_, i) => `0x${i}`);

  test("with too many keys", async () => {
    expect(await ask({ keys: [felts(9).slice(0, 9), ["0x1"]] })).toHaveProperty("result");
    expect(await ask({ keys: Array.from({ length: 513 }, () => ["0x1"]) })).toMatchObject({
      error: { code: 34, message: "Too many keys provided in a filter" },
    });
  });

  test("with too many addresses", async () => {
    const from_address = Array.from({ length: 1_025 }, () => "0x1");
    expect(await ask({ from_address })).toMatchObject({
      error: { code: -32602, data: { path: "from_address" } },
    });
  });

  test("with a list of addresses before 0.10", async () => {
    for (const version of ["0.9.0", "0.8.1"]) {
      expect(await ask({ from_address: ["0x1"] }, version)).toMatchObject({
        error: { code: -32602, data: { path: "from_address" } },
      });
    }
  });

  test("with an invalid finality", async () => {
    expect(await ask({ finality_status: "RECEIVED" })).toMatchObject({
      error: { code: -32602, data: { path: "finality_status" } },
    });
    expect(await ask({ finality_status: "PRE_CONFIRMED" }, "0.8.1")).toMatchObject({
      error: { code: -32602, data: { path: "finality_status" } },
    });
  });

  test("for an unknown block, or one too far back", async () => {
    expect(await ask({ block_id: { block_number: 9 } })).toMatchObject({ error: { code: 24 } });
    const world = new SubscriptionWorld();
    for (let i = 0; i < 1_025; i++) world.accept();
    const params = { block_id: { block_number: 0 } };
    expect(await world.client().ask("starknet_subscribeEvents", params)).toMatchObject({
      error: { code: 68 },
    });
  });
});
