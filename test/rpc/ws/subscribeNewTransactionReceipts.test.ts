import { expect, test } from "bun:test";
import { fixtureTest } from "#test/helpers/shared.ts";
import { EVERY_TRANSACTION } from "#test/helpers/sample-chain.ts";
import { eventOf, SubscriptionWorld } from "#test/helpers/subscription-world.ts";
import { findingsOf } from "#test/helpers/ws-openrpc.ts";

const sharedTest = fixtureTest("rpc-spec");

const BOTH = { finality_status: ["PRE_CONFIRMED", "ACCEPTED_ON_L2"] };

for (const version of ["0.10.2", "0.9.0"]) {
  sharedTest(`receipts of ${version} match its OpenRPC document`, async () => {
    const world = new SubscriptionWorld();
    const client = world.client(version);
    await client.subscribe("subscribeNewTransactionReceipts", BOTH);
    await world.settle();
    for (const transaction of EVERY_TRANSACTION) world.execute([eventOf([1n])], { transaction });
    await world.settle();
    world.accept();
    await world.settle();
    const count = 2 * EVERY_TRANSACTION.length;
    expect(findingsOf(client, version)).toEqual({ count, findings: [] });
  });
}

test("a receipt has the block hash once its block is accepted", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeNewTransactionReceipts", BOTH);
  await world.settle();
  world.execute();
  await world.settle();
  world.accept();
  await world.settle();
  expect(
    client
      .results(id)
      .map((receipt) => [
        receipt["finality_status"],
        receipt["block_number"],
        receipt["block_hash"],
      ]),
  ).toEqual([
    ["PRE_CONFIRMED", 1, undefined],
    ["ACCEPTED_ON_L2", 1, "0xb10c1"],
  ]);
});

test("only receipts of the selected senders are sent", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeNewTransactionReceipts", { sender_address: ["0x1"] });
  for (const transaction of EVERY_TRANSACTION) world.execute([], { transaction });
  await world.settle();
  world.accept();
  await world.settle();
  expect(client.results(id).map(({ type, finality_status }) => [type, finality_status])).toEqual([
    ["DECLARE", "ACCEPTED_ON_L2"],
    ["DECLARE", "ACCEPTED_ON_L2"],
    ["DECLARE", "ACCEPTED_ON_L2"],
  ]);
});

test("rejects too many senders, and statuses that receipts do not have", async () => {
  const client = new SubscriptionWorld().client();
  const ask = (params: Record<string, string[]>): Promise<unknown> =>
    client.ask("starknet_subscribeNewTransactionReceipts", params);
  expect(await ask({ sender_address: Array.from({ length: 1_025 }, () => "0x1") })).toMatchObject({
    error: { code: 67 },
  });
  for (const status of ["RECEIVED", "CANDIDATE", "ACCEPTED_ON_L1"]) {
    expect(await ask({ finality_status: [status] })).toMatchObject({ error: { code: -32602 } });
  }
});
