import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { eventOf, SubscriptionWorld, type WorldClient } from "#test/helpers/subscription-world.ts";

const numbers = (client: WorldClient, id: string): unknown[] =>
  client.results(id).map(({ block_number: number }) => number);

/** Events as `hash:finality`, in order of arrival. */
const notified = (client: WorldClient, id: string): string[] =>
  client.pairs(id, "transaction_hash", "finality_status");

describe("subscription from an older block", () => {
  test("gets all blocks from it on and then new ones, each once", async () => {
    const world = new SubscriptionWorld();
    for (let i = 0; i < 200; i++) world.accept();
    const client = world.client();
    const id = await client.subscribe("subscribeNewHeads", { block_id: { block_number: 5 } });
    for (let i = 0; i < 40; i++) {
      world.turn();
      world.accept();
    }
    await world.settle();
    expect(numbers(client, id)).toEqual(Array.from({ length: 236 }, (_, i) => i + 5));
  });

  test("pauses while its client reads slowly, and misses nothing", async () => {
    const world = new SubscriptionWorld();
    for (let i = 0; i < 9; i++) world.accept();
    const client = world.client();
    client.isWritable = false;
    const id = await client.subscribe("subscribeNewHeads", { block_id: { block_number: 0 } });
    await world.settle();
    world.accept();
    await world.settle();
    expect(client.notifications).toEqual([]);
    client.isWritable = true;
    world.hub.writable();
    await world.settle();
    world.accept();
    await world.settle();
    expect(numbers(client, id)).toEqual(Array.from({ length: 12 }, (_, i) => i));
  });
});

test("acceptance of a block is notified after everything before it", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeEvents", { finality_status: "PRE_CONFIRMED" });
  const first = world.execute([eventOf([1n])]);
  const second = world.execute([eventOf([1n])], { isNewBlock: true });
  await world.settle();
  world.accept();
  world.accept();
  await world.settle();
  const [a, b] = [`0x${first.toString(16)}`, `0x${second.toString(16)}`];
  expect(notified(client, id)).toEqual([
    `${a}:PRE_CONFIRMED`,
    `${b}:PRE_CONFIRMED`,
    `${a}:ACCEPTED_ON_L2`,
    `${b}:ACCEPTED_ON_L2`,
  ]);
});

test("a transaction seen only once accepted is notified as pre-confirmed first", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeEvents", { finality_status: "PRE_CONFIRMED" });
  await world.settle();
  const hash = `0x${world.execute([eventOf([1n])]).toString(16)}`;
  world.accept();
  await world.settle();
  expect(notified(client, id)).toEqual([`${hash}:PRE_CONFIRMED`, `${hash}:ACCEPTED_ON_L2`]);
});

test("the unseen end of an accepted block is notified too", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  const id = await client.subscribe("subscribeEvents", { finality_status: "PRE_CONFIRMED" });
  await world.settle();
  const seen = `0x${world.execute([eventOf([1n])]).toString(16)}`;
  await world.settle();
  const unseen = `0x${world.executeUnseen([eventOf([1n])]).toString(16)}`;
  await world.settle();
  expect(notified(client, id)).toEqual([`${seen}:PRE_CONFIRMED`]);
  world.accept();
  await world.settle();
  expect(notified(client, id).slice(1)).toEqual([
    `${unseen}:PRE_CONFIRMED`,
    `${seen}:ACCEPTED_ON_L2`,
    `${unseen}:ACCEPTED_ON_L2`,
  ]);
});

test("a subscription in the middle of a block gets the whole block", async () => {
  const world = new SubscriptionWorld();
  const early = world.client();
  await early.subscribe("subscribeEvents", { finality_status: "PRE_CONFIRMED" });
  const first = world.execute([eventOf([1n])]);
  await world.settle();
  const late = world.client();
  const id = await late.subscribe("subscribeEvents", { finality_status: "PRE_CONFIRMED" });
  const second = world.execute([eventOf([1n])]);
  await world.settle();
  const [a, b] = [`0x${first.toString(16)}`, `0x${second.toString(16)}`];
  expect(notified(late, id)).toEqual([`${a}:PRE_CONFIRMED`, `${b}:PRE_CONFIRMED`]);
});

interface Follower {
  readonly client: WorldClient;
  readonly id: string;
  readonly from: number;
  readonly preConfirmed: boolean;
  readonly key: number;
  /** Transactions of the blocks that were accepted at the time of the subscription. */
  readonly acceptedBefore: number;
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("execute" as const),
      key: fc.integer({ min: 0, max: 2 }),
      isNewBlock: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("accept" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("turn" as const),
      count: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("subscribe" as const),
      back: fc.option(fc.nat({ max: 6 })),
      preConfirmed: fc.boolean(),
      key: fc.integer({ min: 0, max: 2 }),
    }),
  },
);

test("each event is notified once per finality and in order, whenever a client subscribes and from which block", async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 80, size: "max" }),
      async (steps) => {
        const world = new SubscriptionWorld({}, 0);
        const executed: { hash: string; key: number; block: number }[] = [];
        const followers: Follower[] = [];
        let newest = world.blocks.length;
        for (const one of steps) {
          if (one.kind === "execute") {
            const hasBlock = newest > world.blocks.length;
            if (!hasBlock || one.isNewBlock) newest++;
            const hash = world.execute([eventOf([BigInt(one.key)])], {
              isNewBlock: one.isNewBlock,
            });
            executed.push({ hash: `0x${hash.toString(16)}`, key: one.key, block: newest - 1 });
          } else if (one.kind === "accept") {
            world.accept();
            newest = Math.max(newest, world.blocks.length);
          } else if (one.kind === "turn") world.turn(one.count);
          else {
            const latest = world.blocks.length - 1;
            const from = Math.max(0, latest - (one.back ?? 0));
            const client = world.client();
            const id = await client.subscribe("subscribeEvents", {
              keys: [[`0x${one.key.toString(16)}`]],
              ...(one.back === null ? {} : { block_id: { block_number: from } }),
              finality_status: one.preConfirmed ? "PRE_CONFIRMED" : "ACCEPTED_ON_L2",
            });
            followers.push({ ...one, client, id, from, acceptedBefore: latest });
          }
        }
        while (world.blocks.length < newest) world.accept();
        await world.settle();
        for (const { client, id, from, preConfirmed, key, acceptedBefore } of followers) {
          const expected = executed.filter((entry) => entry.key === key && entry.block >= from);
          const got = notified(client, id);
          const of = (finality: string): string[] =>
            got.filter((text) => text.endsWith(finality)).map((text) => text.split(":")[0] ?? "");
          expect(of("ACCEPTED_ON_L2")).toEqual(expected.map(({ hash }) => hash));
          const above = expected.filter(({ block }) => block > acceptedBefore);
          expect(of("PRE_CONFIRMED")).toEqual(preConfirmed ? above.map(({ hash }) => hash) : []);
          for (const hash of of("PRE_CONFIRMED")) {
            expect(got.indexOf(`${hash}:PRE_CONFIRMED`)).toBeLessThan(
              got.indexOf(`${hash}:ACCEPTED_ON_L2`),
            );
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

describe("notification", () => {
  test("is encoded once per version", async () => {
    const world = new SubscriptionWorld();
    let reads = 0;
    const clients = [world.client(), world.client(), world.client("0.9.0")];
    for (const client of clients) await client.subscribe("subscribeNewHeads");
    await world.settle();
    for (const { notifications } of clients) notifications.splice(0);
    world.accept();
    const header = world.blocks.at(-1)?.header;
    Object.defineProperty(header, "sequencerAddress", { get: () => (reads++, 1n) });
    await world.settle();
    expect([reads, clients.map(({ notifications }) => notifications.length)]).toEqual([
      2,
      [1, 1, 1],
    ]);
  });

  test("is not sent to clients that have unsubscribed or left", async () => {
    const world = new SubscriptionWorld();
    const [stays, leaves, gone] = [world.client(), world.client(), world.client()];
    const ids = await Promise.all(
      [stays, leaves, gone].map((client) => client.subscribe("subscribeNewHeads")),
    );
    await world.settle();
    expect(await leaves.ask("chain_unsubscribe", [ids[1] as string])).toEqual({ result: true });
    gone.session.end(Infinity);
    for (const { notifications } of [stays, leaves, gone]) notifications.splice(0);
    world.accept();
    await world.settle();
    expect([stays, leaves, gone].map(({ notifications }) => notifications.length)).toEqual([
      1, 0, 0,
    ]);
  });
});

test("the hub reads nothing of the chain without subscribers", () => {
  let reads = 0;
  const world = new SubscriptionWorld({ unaccepted: () => (reads++, []) });
  world.execute();
  world.accept();
  expect([reads, world.turn()]).toEqual([0, false]);
});

test("a database failure closes the connections that need it, and is logged", async () => {
  const world = new SubscriptionWorld();
  const client = world.client();
  await client.subscribe("subscribeEvents");
  await world.settle();
  const failure = new RangeError("disk image is malformed");
  const header = (): never => {
    throw failure;
  };
  Object.assign(world.context.chain, { header });
  world.accept();
  await world.settle();
  expect([client.hasFailed, world.internalErrors]).toEqual([true, [failure]]);
});

test("notified content is not kept: late subscribers read it from the database", async () => {
  const world = new SubscriptionWorld();
  await world.client().subscribe("subscribeEvents");
  await world.settle();
  world.execute([eventOf([1n])]);
  await world.settle();
  world.accept();
  await world.settle();
  let reads = 0;
  const { portionAt } = world.context.chain;
  Object.assign(world.context.chain, {
    portionAt: (location: Parameters<typeof portionAt>[0]) => (reads++, portionAt(location)),
  });
  const late = world.client();
  await late.subscribe("subscribeEvents", { block_id: { block_number: 1 } });
  await world.settle();
  expect([late.notifications.length, reads]).toEqual([1, 1]);
});
