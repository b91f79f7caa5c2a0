import { expect, test } from "bun:test";
import { fixtureTest } from "#test/helpers/shared.ts";
import { EVERY_TRANSACTION } from "#test/helpers/sample-chain.ts";
import { SubscriptionWorld } from "#test/helpers/subscription-world.ts";
import { findingsOf } from "#test/helpers/ws-openrpc.ts";

const sharedTest = fixtureTest("rpc-spec");

for (const details of [false, true]) {
  sharedTest(
    `notifications with transaction_details ${details} match the OpenRPC document`,
    async () => {
      const world = new SubscriptionWorld();
      const client = world.client("0.8.1");
      await client.subscribe("subscribePendingTransactions", { transaction_details: details });
      await world.settle();
      for (const transaction of EVERY_TRANSACTION) world.execute([], { transaction });
      await world.settle();
      world.accept();
      await world.settle();
      const count = EVERY_TRANSACTION.length;
      expect(findingsOf(client, "0.8.1")).toEqual({ count, findings: [] });
    },
  );
}

test("notifies the hashes of the selected senders, once each", async () => {
  const world = new SubscriptionWorld();
  const client = world.client("0.8.1");
  const all = await client.subscribe("subscribePendingTransactions");
  const some = await client.subscribe("subscribePendingTransactions", { sender_address: ["0x1"] });
  await world.settle();
  for (const transaction of EVERY_TRANSACTION) world.execute([], { transaction });
  world.accept();
  await world.settle();
  expect(client.results(all) as unknown[]).toEqual(
    EVERY_TRANSACTION.map((_, i) => `0x${(0x1000 + i).toString(16)}`),
  );
  expect(client.results(some)).toHaveLength(3);
});

test("rejects too many senders", async () => {
  const sender_address = Array.from({ length: 1_025 }, () => "0x1");
  const client = new SubscriptionWorld().client("0.8.1");
  expect(
    await client.ask("starknet_subscribePendingTransactions", { sender_address }),
  ).toMatchObject({ error: { code: 67 } });
});
