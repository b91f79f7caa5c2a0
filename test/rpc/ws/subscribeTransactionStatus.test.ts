import { describe, expect, test } from "bun:test";
import { fixtureTest } from "#test/helpers/shared.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { SubscriptionWorld, type WorldClient } from "#test/helpers/subscription-world.ts";
import { findingsOf } from "#test/helpers/ws-openrpc.ts";

const sharedTest = fixtureTest("rpc-spec");

/** Hash of the first transaction in a world. */
const HASH = 0x1000n;

const statuses = (client: WorldClient, id: string): unknown[] =>
  client.results(id).map(({ status }) => (status as Record<string, unknown>)["finality_status"]);

/** Moves a transaction from the mempool to an L1-accepted block, observed by a client of a version. */
async function life(version: string): Promise<{ client: WorldClient; id: string }> {
  const world = new SubscriptionWorld();
  const client = world.client(version);
  const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  await world.settle();
  world.hub.received({ hash: HASH, transaction: INVOKE_V3 });
  world.hand(HASH);
  await world.settle();
  world.execute();
  await world.settle();
  world.accept();
  await world.settle();
  world.settleOnL1(world.blocks.length - 1);
  await world.settle();
  return { client, id };
}

test("notifies each status once, in order", async () => {
  const { client, id } = await life("0.10.2");
  expect(statuses(client, id)).toEqual([
    "RECEIVED",
    "CANDIDATE",
    "PRE_CONFIRMED",
    "ACCEPTED_ON_L2",
    "ACCEPTED_ON_L1",
  ]);
  expect(client.results(id).at(-1)).toEqual({
    transaction_hash: "0x1000",
    status: { finality_status: "ACCEPTED_ON_L1", execution_status: "SUCCEEDED" },
  });
});

test("notifies once where 0.8 has one status for several", async () => {
  const { client, id } = await life("0.8.1");
  expect(statuses(client, id)).toEqual(["RECEIVED", "ACCEPTED_ON_L2", "ACCEPTED_ON_L1"]);
});

for (const version of ["0.10.2", "0.9.0", "0.8.1"]) {
  sharedTest(`statuses of ${version} match its OpenRPC document`, async () => {
    const { client } = await life(version);
    expect(findingsOf(client, version).findings).toEqual([]);
  });
}

test("starts with the current status", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const subscribed = async (): Promise<unknown[]> => {
    const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
    await world.settle();
    return statuses(client, id);
  };
  expect(await subscribed()).toEqual([]);
  world.waiting.set(HASH, { isCandidate: false });
  expect(await subscribed()).toEqual(["RECEIVED"]);
  world.waiting.set(HASH, { isCandidate: true });
  expect(await subscribed()).toEqual(["CANDIDATE"]);
  world.execute();
  expect(await subscribed()).toEqual(["PRE_CONFIRMED"]);
  world.accept();
  expect(await subscribed()).toEqual(["ACCEPTED_ON_L2"]);
});

test("a late event does not revert a status", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  world.execute();
  await world.settle();
  world.hub.received({ hash: HASH, transaction: INVOKE_V3 });
  await world.settle();
  expect(statuses(client, id)).toEqual(["PRE_CONFIRMED"]);
});

test("a candidate that the executor returns is notified once", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  world.hand(HASH);
  await world.settle();
  world.hand(HASH, true);
  const late = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  world.hand(HASH, true);
  await world.settle();
  expect(statuses(client, id)).toEqual(["CANDIDATE"]);
  expect(statuses(client, late)).toEqual(["CANDIDATE"]);
});

test("a candidate is notified before its execution, never after", async () => {
  const world = new SubscriptionWorld({}, 0);
  const client = world.client();
  const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  const other = await client.subscribe("subscribeTransactionStatus", ["0x1001"]);
  await world.settle();
  world.hand(HASH);
  world.execute();
  world.execute();
  world.hand(0x1001n);
  await world.settle();
  expect(statuses(client, id)).toEqual(["CANDIDATE", "PRE_CONFIRMED"]);
  expect(statuses(client, other)).toEqual(["PRE_CONFIRMED"]);
});

describe("L1 acceptance of blocks", () => {
  test("is notified only to subscribers of their transactions", async () => {
    const world = new SubscriptionWorld();
    const client = world.client();
    const ids = await Promise.all(
      ["0x1000", "0x1001"].map((hash) => client.subscribe("subscribeTransactionStatus", [hash])),
    );
    world.execute();
    world.accept();
    world.execute();
    world.accept();
    await world.settle();
    world.settleOnL1(world.blocks.length - 2);
    await world.settle();
    const last = (id: string | undefined): unknown => statuses(client, id ?? "").at(-1);
    expect(ids.map(last)).toEqual(["ACCEPTED_ON_L1", "ACCEPTED_ON_L2"]);
    world.settleOnL1(world.blocks.length - 1);
    await world.settle();
    expect(ids.map(last)).toEqual(["ACCEPTED_ON_L1", "ACCEPTED_ON_L1"]);
    expect(statuses(client, ids[0] ?? "").slice(1)).toEqual(["ACCEPTED_ON_L2", "ACCEPTED_ON_L1"]);
  });

  test("looks up only transactions of the newly accepted blocks", async () => {
    const world = new SubscriptionWorld();
    const client = world.client();
    for (const hash of ["0x1000", "0x1001", "0x1002"]) {
      await client.subscribe("subscribeTransactionStatus", [hash]);
    }
    for (let i = 0; i < 2; i++) {
      world.execute();
      world.accept();
    }
    await world.settle();
    const lookups: bigint[] = [];
    const { locate } = world.context.chain;
    Object.assign(world.context.chain, {
      locate: (hash: bigint) => (lookups.push(hash), locate(hash)),
    });
    world.settleOnL1(1);
    await world.settle();
    world.settleOnL1(1);
    await world.settle();
    expect(lookups).toEqual([0x1000n]);
  });

  test("is notified once if it precedes the notification of L2 acceptance", async () => {
    const world = new SubscriptionWorld({}, 0);
    const client = world.client();
    const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
    await world.settle();
    world.execute();
    await world.settle();
    world.accept();
    world.settleOnL1(world.blocks.length - 1);
    await world.settle();
    expect(statuses(client, id)).toEqual(["PRE_CONFIRMED", "ACCEPTED_ON_L1"]);
  });
});

test("the feed is interested in candidates while a client subscribes to a status", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  expect(world.interest).toEqual([]);
  const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  expect(world.interest).toEqual([true]);
  await client.ask("starknet_unsubscribe", { subscription_id: id });
  expect(world.interest).toEqual([true, false]);
});

test("a subscriber that starts with an accepted status gets no earlier ones", async () => {
  const world = new SubscriptionWorld();
  await world.client().subscribe("subscribeTransactionStatus", ["0x1000"]);
  await world.settle();
  world.execute();
  world.accept();
  const client = world.client();
  const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  await world.settle();
  expect(statuses(client, id)).toEqual(["ACCEPTED_ON_L2"]);
});

test("a rejection is notified in versions that have that status", async () => {
  const world = new SubscriptionWorld();
  const [newest, older] = [world.client(), world.client("0.8.1")];
  const ids = await Promise.all(
    [newest, older].map((client) => client.subscribe("subscribeTransactionStatus", ["0x1000"])),
  );
  await world.settle();
  world.hub.rejected(HASH, "it expired");
  expect(newest.notifications).toEqual([]);
  expect(older.results(ids[1] as string)).toEqual([
    {
      transaction_hash: "0x1000",
      status: { finality_status: "REJECTED", failure_reason: "it expired" },
    },
  ]);
  world.rejections.set(HASH, "it expired");
  const later = await older.subscribe("subscribeTransactionStatus", ["0x1000"]);
  await world.settle();
  expect(statuses(older, later)).toEqual(["REJECTED"]);
});

test("ignores other transactions, and all once unsubscribed", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  await client.subscribe("subscribeTransactionStatus", ["0x1001"]);
  const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  await client.ask("starknet_unsubscribe", { subscription_id: id });
  await world.settle();
  world.execute();
  world.accept();
  await world.settle();
  expect(client.notifications).toEqual([]);
});

test("requires a hash", async () => {
  const answer = await new SubscriptionWorld().client().ask("starknet_subscribeTransactionStatus");
  expect(answer).toMatchObject({ error: { code: -32602, data: { path: "transaction_hash" } } });
});
