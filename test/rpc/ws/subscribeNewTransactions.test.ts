import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { fixtureTest } from "#test/helpers/shared.ts";
import { EVERY_TRANSACTION, INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { SubscriptionWorld, type WorldClient } from "#test/helpers/subscription-world.ts";
import { findingsOf } from "#test/helpers/ws-openrpc.ts";

const sharedTest = fixtureTest("rpc-spec");

const ALL = ["RECEIVED", "CANDIDATE", "PRE_CONFIRMED", "ACCEPTED_ON_L2"];

const statusesOf = (client: WorldClient, id: string): string[] =>
  client.pairs(id, "transaction_hash", "finality_status");

for (const version of ["0.10.2", "0.9.0"]) {
  sharedTest(`transactions of ${version} match its OpenRPC document`, async () => {
    const world = new SubscriptionWorld();
    const client = world.client(version);
    await client.subscribe("subscribeNewTransactions", { finality_status: ALL });
    await world.settle();
    world.hub.received({ hash: 0x77n, transaction: INVOKE_V3 });
    world.hand(0x78n);
    for (const transaction of EVERY_TRANSACTION) world.execute([], { transaction });
    await world.settle();
    world.accept();
    await world.settle();
    const count = 2 + 2 * EVERY_TRANSACTION.length;
    expect(findingsOf(client, version)).toEqual({ count, findings: [] });
  });
}

sharedTest("transactions with proof facts match the OpenRPC document", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeNewTransactions", {
    tags: ["INCLUDE_PROOF_FACTS"],
  });
  world.execute();
  world.accept();
  await world.settle();
  expect(client.results(id)).toMatchObject([{ proof_facts: ["0xfac7"] }]);
  expect(findingsOf(client, "0.10.2")).toEqual({ count: 1, findings: [] });
});

test("proof facts are omitted without their tag", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeNewTransactions");
  world.execute();
  world.accept();
  await world.settle();
  expect(client.results(id)[0]).not.toHaveProperty("proof_facts");
});

describe("requested statuses", () => {
  const cases = [
    [undefined, ["0x1000:ACCEPTED_ON_L2"]],
    [["RECEIVED"], ["0x1000:RECEIVED"]],
    [["CANDIDATE"], ["0x1000:CANDIDATE"]],
    [
      ["PRE_CONFIRMED", "ACCEPTED_ON_L2"],
      ["0x1000:PRE_CONFIRMED", "0x1000:ACCEPTED_ON_L2"],
    ],
    [ALL, ALL.map((status) => `0x1000:${status}`)],
    [[], []],
  ] as const;
  for (const [statuses, expected] of cases) {
    test(`${statuses?.join() ?? "none"} are notified once each`, async () => {
      const world = new SubscriptionWorld();
      const client = world.client();
      const params: JsonValue = statuses === undefined ? [] : { finality_status: [...statuses] };
      const id = await client.subscribe("subscribeNewTransactions", params);
      await world.settle();
      world.hand(0x1000n);
      // The mempool's acceptance is notified in this turn, the executor's progress in a later one.
      world.hub.received({ hash: 0x1000n, transaction: INVOKE_V3 });
      world.execute();
      world.hand(0x1000n, true);
      await world.settle();
      world.accept();
      await world.settle();
      expect(statusesOf(client, id)).toEqual([...expected]);
    });
  }
});

test("only transactions of the selected senders are notified, and no L1 handlers", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeNewTransactions", { sender_address: ["0xc0"] });
  for (const transaction of EVERY_TRANSACTION) world.execute([], { transaction });
  world.accept();
  await world.settle();
  expect(client.pairs(id, "type", "version")).toEqual([
    "INVOKE:0x0",
    "INVOKE:0x1",
    "INVOKE:0x3",
    "DECLARE:0x3",
    "DEPLOY_ACCOUNT:0x1",
    "DEPLOY_ACCOUNT:0x3",
  ]);
});

test("transactions pre-confirmed before the subscription are notified only on acceptance", async () => {
  const world = new SubscriptionWorld();
  world.execute();
  const client = world.client();
  const id = await client.subscribe("subscribeNewTransactions", {
    finality_status: ["PRE_CONFIRMED", "ACCEPTED_ON_L2"],
  });
  world.execute();
  await world.settle();
  world.accept();
  await world.settle();
  expect(statusesOf(client, id)).toEqual([
    "0x1001:PRE_CONFIRMED",
    "0x1000:ACCEPTED_ON_L2",
    "0x1001:ACCEPTED_ON_L2",
  ]);
});

test("a candidate that the executor returns is notified once", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeNewTransactions", { finality_status: ["CANDIDATE"] });
  await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  await world.settle();
  world.hand(0x1000n);
  world.hand(0x1000n, true);
  await world.settle();
  expect(statusesOf(client, id)).toEqual(["0x1000:CANDIDATE"]);
});

test("an executed transaction is no longer notified as received", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeNewTransactions", { finality_status: ["RECEIVED"] });
  await world.settle();
  world.execute();
  world.hub.received({ hash: 0x1000n, transaction: INVOKE_V3 });
  expect(client.results(id)).toEqual([]);
});

describe("subscribeNewTransactions is rejected", () => {
  const ask = (params: JsonValue, version?: string): Promise<unknown> =>
    new SubscriptionWorld().client(version).ask("starknet_subscribeNewTransactions", params);

  test("with more than 1024 senders", async () => {
    const senders = (count: number): string[] => Array.from({ length: count }, () => "0x1");
    expect(await ask({ sender_address: senders(1_024) })).toHaveProperty("result");
    expect(await ask({ sender_address: senders(1_025) })).toMatchObject({
      error: { code: 67, message: "Too many addresses in filter sender_address filter" },
    });
  });

  test("with a status that cannot be subscribed to", async () => {
    expect(await ask({ finality_status: ["ACCEPTED_ON_L1"] })).toMatchObject({
      error: { code: -32602, data: { path: "finality_status[0]" } },
    });
  });

  test("with tags before 0.10", async () => {
    expect(await ask({ tags: [] }, "0.9.0")).toMatchObject({ error: { code: -32602 } });
  });

  test("in 0.8, which has subscribePendingTransactions instead", async () => {
    expect(await ask([], "0.8.1")).toMatchObject({ error: { code: -32601 } });
  });
});
