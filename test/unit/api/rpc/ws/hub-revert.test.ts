import { expect, test } from "bun:test";
import { MAX_WAITING_CANDIDATES } from "#api/rpc/ws/broadcaster.ts";
import { eventOf, SubscriptionWorld } from "#test/helpers/subscription-world.ts";

test("after the chain was reverted its new blocks are told, to whoever was told the old ones", async () => {
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

test("notifications are counted: written once for all of a version, sent to each", async () => {
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

test("what was seen above a block that the chain was reverted to is not told any more", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeEvents", { finality_status: "PRE_CONFIRMED" });
  await world.settle();
  const gone = `0x${world.execute([eventOf([1n])]).toString(16)}`;
  await world.settle();
  world.revert(0);
  const fresh = `0x${world.execute([eventOf([1n])]).toString(16)}`;
  world.accept();
  await world.settle();
  expect(client.pairs(id, "transaction_hash", "finality_status")).toEqual([
    `${gone}:PRE_CONFIRMED`,
    `${fresh}:PRE_CONFIRMED`,
    `${fresh}:ACCEPTED_ON_L2`,
  ]);
});

test("who begins with an older block goes on behind the block that the chain was reverted to", async () => {
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

test("a subscription that the node ends is counted as ended once", async () => {
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

test("of more candidates than may wait the oldest are left out", async () => {
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
  "over %s, who subscribed hears which accepted blocks were reverted",
  async (version, told, silent) => {
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
    const [hearing, deaf] = [[] as string[], [] as string[]];
    for (const method of told) hearing.push(await subscribe(method));
    for (const method of silent) deaf.push(await subscribe(method));
    await world.settle();
    const before = client.notifications.length;
    world.revert(1);
    // What was being built alone is not told of.
    world.revert(1);
    await world.settle();
    const after = client.notifications.slice(before);
    expect(after.map(({ method }) => method)).toEqual(told.map(() => "starknet_subscriptionReorg"));
    for (const id of hearing) expect(client.results(id).at(-1)).toEqual(reorg);
    for (const id of deaf) expect(client.results(id)).toEqual([]);
  },
);

test.each(["0.10.2", "0.9.0", "0.8.1"])(
  "over %s, a transaction that is included again after its block was reverted is told again",
  async (version) => {
    const world = new SubscriptionWorld();
    const client = world.client(version);
    const kept = await client.subscribe("subscribeTransactionStatus", ["0x1000"]);
    const gone = await client.subscribe("subscribeTransactionStatus", ["0x1001"]);
    const include = async (...hashes: readonly bigint[]): Promise<void> => {
      for (const hash of hashes) {
        world.execute([], { hash });
        await world.settle();
        world.accept();
        await world.settle();
      }
    };
    await include(0x1000n, 0x1001n);
    const [ofKept, ofGone] = [client.results(kept), client.results(gone)];
    expect(ofKept.length).toBeGreaterThan(0);
    world.revert(1);
    await include(0x1001n);
    expect(client.results(kept).slice(0, -1)).toEqual(ofKept);
    const [reorg, ...again] = client.results(gone).slice(ofGone.length);
    expect(reorg).toMatchObject({ starting_block_number: 2, ending_block_number: 2 });
    expect(again).toEqual(ofGone);
  },
);

test("who knows that a transaction is executed hears it once, though what was being built is made anew", async () => {
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

test("what was accepted on L1 is told of transactions of blocks that are left, when blocks are reverted meanwhile", async () => {
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
