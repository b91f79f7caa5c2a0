import { expect, test } from "bun:test";
import { MAX_WAITING_CANDIDATES } from "#api/rpc/ws/broadcaster.ts";
import { eventOf, SubscriptionWorld } from "#test/helpers/subscription-world.ts";

test("subscribers get a reorg and then the new blocks after a revert", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const heads = await client.subscribe("subscribeNewHeads");
  const events = await client.subscribe("subscribeEvents", { finality_status: "PRE_CONFIRMED" });
  const status = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  await world.settle();
  world.execute([eventOf([1n])]);
  world.accept();
  world.accept();
  await world.settle();
  world.revert(0);
  await world.settle();
  const again = `0x${world.execute([eventOf([2n])]).toString(16)}`;
  world.accept();
  await world.settle();
  expect(client.results(heads).map(({ block_number: number }) => number)).toEqual([
    0,
    1,
    2,
    undefined,
    1,
  ]);
  expect(client.pairs(events, "transaction_hash", "finality_status").slice(2)).toEqual([
    "undefined:undefined",
    `${again}:PRE_CONFIRMED`,
    `${again}:ACCEPTED_ON_L2`,
  ]);
  expect(client.results(status).length).toBe(3);
});

test("notifications are encoded once per version and counted per client", async () => {
  const world = new SubscriptionWorld();
  const clients = [world.client(), world.client(), world.client("0.9.0")];
  for (const client of clients) await client.subscribe("subscribeEvents");
  await world.settle();
  world.execute([eventOf([1n]), eventOf([2n])]);
  world.accept();
  await world.settle();
  expect(world.counts).toEqual({ opened: 3, closed: 0, sent: 6, written: 4 });
  for (const client of clients) client.session.end(Infinity);
  expect(world.counts.closed).toBe(3);
});

test("content seen above the revert target is no longer notified", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeEvents", { finality_status: "PRE_CONFIRMED" });
  await world.settle();
  const reverted = `0x${world.execute([eventOf([1n])]).toString(16)}`;
  await world.settle();
  world.revert(0);
  const fresh = `0x${world.execute([eventOf([1n])]).toString(16)}`;
  world.accept();
  await world.settle();
  expect(client.pairs(id, "transaction_hash", "finality_status")).toEqual([
    `${reverted}:PRE_CONFIRMED`,
    `${fresh}:PRE_CONFIRMED`,
    `${fresh}:ACCEPTED_ON_L2`,
  ]);
});

test("a subscription that catches up continues after the block of a revert", async () => {
  const world = new SubscriptionWorld({}, 0);
  for (let i = 0; i < 9; i++) world.accept();
  const client = world.client();
  const id = await client.subscribe("subscribeNewHeads", { block_id: { block_number: 0 } });
  while (client.results(id).length < 4) world.turn();
  client.isWritable = false;
  world.turn();
  world.revert(1);
  world.accept();
  client.isWritable = true;
  world.hub.writable();
  await world.settle();
  world.accept();
  await world.settle();
  const heads = client.results(id).map(({ block_number: number }) => number);
  expect(heads.slice(0, 4)).toEqual([0, 1, 2, 3]);
  expect(heads.slice(-2)).toEqual([2, 3]);
});

test("a subscription that the node ends is counted as closed once", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  await client.subscribe("subscribeEvents");
  await world.settle();
  const header = (): never => {
    throw new RangeError("disk image is malformed");
  };
  Object.assign(world.context.chain, { header });
  world.accept();
  await world.settle();
  client.session.end(Infinity);
  expect(world.counts).toMatchObject({ opened: 1, closed: 1 });
});

test("the oldest candidates are omitted above the queue limit", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeNewTransactions", { finality_status: ["CANDIDATE"] });
  await world.settle();
  for (let i = 0; i <= MAX_WAITING_CANDIDATES; i++) world.hand(0x5000n + BigInt(i));
  await world.settle();
  const hashes = client.results(id).map(({ transaction_hash: hash }) => hash);
  expect([hashes.length, hashes[0]]).toEqual([MAX_WAITING_CANDIDATES, "0x5001"]);
});

test.each([
  [
    "0.10.2",
    [
      "subscribeNewHeads",
      "subscribeEvents",
      "subscribeTransactionStatus",
      "subscribeNewTransactions",
      "subscribeNewTransactionReceipts",
    ],
    [],
  ],
  [
    "0.9.0",
    ["subscribeNewHeads", "subscribeEvents", "subscribeTransactionStatus"],
    ["subscribeNewTransactions", "subscribeNewTransactionReceipts"],
  ],
  [
    "0.8.1",
    ["subscribeNewHeads", "subscribeEvents", "subscribeTransactionStatus"],
    ["subscribePendingTransactions"],
  ],
] as const)(
  "over %s, subscribers are notified of reverted accepted blocks",
  async (version, notified, silent) => {
    const world = new SubscriptionWorld();
    const client = world.client(version);
    const subscribe = (method: string) =>
      client.subscribe(method, method === "subscribeTransactionStatus" ? ["0x1000"] : []);
    for (let i = 0; i < 3; i++) world.accept();
    const hashOf = (number: number) =>
      `0x${(world.blocks[number]?.header.hash ?? 0n).toString(16)}`;
    const reorg = {
      starting_block_hash: hashOf(2),
      starting_block_number: 2,
      ending_block_hash: hashOf(3),
      ending_block_number: 3,
    };
    const [notifiedIds, silentIds] = [[] as string[], [] as string[]];
    for (const method of notified) notifiedIds.push(await subscribe(method));
    for (const method of silent) silentIds.push(await subscribe(method));
    await world.settle();
    const before = client.notifications.length;
    world.revert(1);
    // A revert of unaccepted blocks only is not notified.
    world.revert(1);
    await world.settle();
    const after = client.notifications.slice(before);
    expect(after.map(({ method }) => method)).toEqual(
      notified.map(() => "starknet_subscriptionReorg"),
    );
    for (const id of notifiedIds) expect(client.results(id).at(-1)).toEqual(reorg);
    for (const id of silentIds) expect(client.results(id)).toEqual([]);
  },
);

test.each(["0.10.2", "0.9.0", "0.8.1"])(
  "over %s, a transaction that is included again after a revert is notified again",
  async (version) => {
    const world = new SubscriptionWorld();
    const client = world.client(version);
    const kept = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
    const reverted = await client.subscribe("subscribeTransactionStatus", ["0x1001"]);
    const include = async (...hashes: readonly bigint[]): Promise<void> => {
      for (const hash of hashes) {
        world.execute([], { hash });
        await world.settle();
        world.accept();
        await world.settle();
      }
    };
    await include(0x1000n, 0x1001n);
    const [ofKept, ofGone] = [client.results(kept), client.results(reverted)];
    expect(ofKept.length).toBeGreaterThan(0);
    world.revert(1);
    await include(0x1001n);
    expect(client.results(kept).slice(0, -1)).toEqual(ofKept);
    const [reorg, ...again] = client.results(reverted).slice(ofGone.length);
    expect(reorg).toMatchObject({ starting_block_number: 2, ending_block_number: 2 });
    expect(again).toEqual(ofGone);
  },
);

test("a transaction in a rebuilt pre-confirmed block is notified as executed only once", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
  await world.settle();
  world.execute([], { hash: 0x1000n });
  await world.settle();
  world.revert(0);
  world.execute([], { hash: 0x1000n });
  await world.settle();
  world.accept();
  await world.settle();
  const statuses = client.results(id).map(({ status }) => status as { finality_status: string });
  expect(statuses.map(({ finality_status: finality }) => finality)).toEqual([
    "PRE_CONFIRMED",
    "ACCEPTED_ON_L2",
  ]);
});

test("L1 acceptance of the remaining blocks is notified despite a concurrent revert", async () => {
  const world = new SubscriptionWorld({}, 0);
  const client = world.client();
  const ids: string[] = [];
  for (const hash of [0x1000n, 0x1001n]) {
    ids.push(await client.subscribe("subscribeTransactionStatus", [`0x${hash.toString(16)}`]));
    world.execute([], { hash });
    world.accept();
    await world.settle();
  }
  world.accept();
  await world.settle();
  world.settleOnL1(2);
  world.turn();
  world.revert(2);
  await world.settle();
  for (const id of ids) {
    const last = client
      .results(id)
      .filter(({ status }) => status !== undefined)
      .at(-1);
    expect(last?.["status"]).toMatchObject({ finality_status: "ACCEPTED_ON_L1" });
  }
});
