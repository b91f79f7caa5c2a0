import { describe, expect, test } from "bun:test";
import { fixtureTest } from "#test/helpers/shared.ts";
import { SubscriptionWorld } from "#test/helpers/subscription-world.ts";
import { findingsOf } from "#test/helpers/ws-openrpc.ts";

const sharedTest = fixtureTest("rpc-spec");

const VERSIONS = ["0.10.2", "0.9.0", "0.8.1"] as const;

/** World with blocks 0 to `latest`. */
function worldOf(latest: number): SubscriptionWorld {
  const world = new SubscriptionWorld();
  for (let i = 0; i < latest; i++) world.accept();
  return world;
}

for (const version of VERSIONS) {
  sharedTest(`headers of ${version} match its OpenRPC document`, async () => {
    const world = worldOf(1);
    const client = world.client(version);
    await client.subscribe("subscribeNewHeads", { block_id: { block_number: 0 } });
    await world.settle();
    world.accept();
    await world.settle();
    expect(findingsOf(client, version)).toEqual({ count: 3, findings: [] });
  });
}

describe("subscribeNewHeads starts", () => {
  const cases = [
    ["with the latest block by default", [], [3, 4]],
    ["with the latest block for the tag latest", ["latest"], [3, 4]],
    ["with the block of a block number", [{ block_number: 2 }], [2, 3, 4]],
    ["with the block of a block hash", [{ block_hash: "0xb10c3" }], [3, 4]],
  ] as const;
  for (const [what, params, expected] of cases) {
    test(what, async () => {
      const world = worldOf(3);
      const client = world.client();
      const id = await client.subscribe("subscribeNewHeads", params);
      await world.settle();
      world.accept();
      await world.settle();
      expect(client.results(id).map((header) => header["block_number"])).toEqual([...expected]);
    });
  }
});

describe("subscribeNewHeads is rejected", () => {
  const back = async (blocks: number): Promise<unknown> => {
    const client = worldOf(blocks).client();
    return client.ask("starknet_subscribeNewHeads", [{ block_number: 0 }]);
  };

  test("for a block more than 1024 blocks back", async () => {
    expect(await back(1_024)).toEqual({ result: expect.any(String) });
    expect(await back(1_025)).toEqual({
      error: { code: 68, message: "Cannot go back more than 1024 blocks" },
    });
  });

  test("for an unknown block", async () => {
    const client = worldOf(1).client();
    for (const id of [{ block_number: 2 }, { block_hash: "0xdead" }]) {
      expect(await client.ask("starknet_subscribeNewHeads", [id])).toEqual({
        error: { code: 24, message: "Block not found" },
      });
    }
  });

  test.each(["pre_confirmed", "l1_accepted", "pending"])("for the tag %s", async (tag) => {
    for (const version of VERSIONS) {
      const answer = await worldOf(1).client(version).ask("starknet_subscribeNewHeads", [tag]);
      expect(answer).toMatchObject({ error: { code: -32602, data: { path: "block_id" } } });
    }
  });
});

test("notifications have the prefix of the subscription request", async () => {
  const world = worldOf(0);
  const client = world.client();
  await client.ask("chain_subscribeNewHeads");
  await client.ask("starknet_subscribeNewHeads");
  await world.settle();
  expect(client.notifications.map(({ method }) => method)).toEqual([
    "chain_subscriptionNewHeads",
    "starknet_subscriptionNewHeads",
  ]);
});
