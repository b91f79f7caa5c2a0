import { describe, expect, test } from "bun:test";
import { fixtureTest } from "#test/helpers/shared.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { SubscriptionWorld, type WorldClient } from "#test/helpers/subscription-world.ts";
import { findingsOf } from "#test/helpers/ws-openrpc.ts";

const sharedTest = fixtureTest("rpc-spec");

/** The hash that the first transaction of a world has. */
const HASH = 0x1000n;

const statuses = (client: WorldClient, id: string): unknown[] =>
  client.results(id).map(({ status }) => (status as Record<string, unknown>)["finality_status"]);

/** A transaction from the mempool to an accepted block, as a client of a version hears of it. */
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

test("tells of each status once, in order", async () => {
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

test("tells once what 0.8 has one word for", async () => {
  const { client, id } = await life("0.8.1");
  expect(statuses(client, id)).toEqual(["RECEIVED", "ACCEPTED_ON_L2", "ACCEPTED_ON_L1"]);
});

for (const version of ["0.10.2", "0.9.0", "0.8.1"]) {
  sharedTest(`statuses of ${version} have the shape of its OpenRPC file`, async () => {
    const { client } = await life(version);
    expect(findingsOf(client, version).findings).toEqual([]);
  });
}

test("begins with the status at that time", async () => {
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

test("what is late does not take a status back", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  world.execute();
  await world.settle();
  world.hub.received({ hash: HASH, transaction: INVOKE_V3 });
  await world.settle();
  expect(statuses(client, id)).toEqual(["PRE_CONFIRMED"]);
});

test("a candidate that comes back from the executor is one once", async () => {
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

test("a candidate is told before what is executed of it, and not after", async () => {
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

describe("blocks that are accepted on L1", () => {
  test("are told of to who listens for their transactions, and to no others", async () => {
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

  test("have no others looked up", async () => {
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
    const asked: bigint[] = [];
    const { locate } = world.context.chain;
    Object.assign(world.context.chain, {
      locate: (hash: bigint) => (asked.push(hash), locate(hash)),
    });
    world.settleOnL1(1);
    await world.settle();
    world.settleOnL1(1);
    await world.settle();
    expect(asked).toEqual([0x1000n]);
  });

  test("before they are told of as accepted on L2 are told of once", async () => {
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

test("candidates are of interest while somebody listens for a transaction", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  expect(world.interest).toEqual([]);
  const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  expect(world.interest).toEqual([true]);
  await client.ask("starknet_unsubscribe", { subscription_id: id });
  expect(world.interest).toEqual([true, false]);
});

test("who is told of an accepted block at once is not told of what was before", async () => {
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

test("a rejection is told where the version has a word for it", async () => {
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

test("tells of no other transaction, and of none once unsubscribed", async () => {
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

test("a hash is required", async () => {
  const answer = await new SubscriptionWorld().client().ask("starknet_subscribeTransactionStatus");
  expect(answer).toMatchObject({ error: { code: -32602, data: { path: "transaction_hash" } } });
});
