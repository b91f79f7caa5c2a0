import { describe, expect, test } from "bun:test";
import type { StateReport, StateUpdateLog } from "#io/l1/index.ts";
import { FakeChain, L1_BLOCK, L1_NEXT, updateOf } from "#test/helpers/l1-chain.ts";
import { type AskingWatch, watchOf } from "#test/helpers/l1-state-watch.ts";

const forged = (blockNumber: number, l1Block = L1_BLOCK): StateUpdateLog => ({
  ...updateOf(blockNumber, l1Block),
  stateRoot: 0xf0_4e_edn,
});
const at = (number: number) => ({ number, hash: BigInt(number) });
/** An endpoint that has nothing of what the watch saw. */
const honest = (endpoint: string): StateReport => ({
  kind: "read",
  endpoint,
  l1BlockHash: L1_BLOCK.hash,
  updates: [],
  named: [],
  core: updateOf(1),
});

/** A watch over endpoints, some of which confirm what it saw; counts the requests. */
function world(believers: number, deniers: number) {
  const chain = new FakeChain(9);
  const watched = watchOf(chain);
  let asked = 0;
  watched.watch.ask = async (block) => {
    asked++;
    return [
      ...Array.from({ length: believers }, (_, i) => watched.watch.report(`http://${i}`, block)),
      ...Array.from({ length: deniers }, (_, i) => honest(`http://honest${i}`)),
    ];
  };
  return { ...watched, chain, asked: () => asked };
}

async function countedAt(watch: AskingWatch, block: number, head = block): Promise<void> {
  watch.counted({ block: at(block), head: at(head) });
  await watch.step();
}

describe("a forged update", () => {
  test.each([
    [0, 1],
    [0, 2],
    [1, 2],
  ])("of %p endpoints is ignored if %p others refute it", async (believers, deniers) => {
    const { watch, chain, alarms, events } = world(believers, deniers);
    watch.logs([updateOf(3), forged(5), updateOf(7, L1_NEXT)]);
    await watch.step();
    expect(chain.settled).toEqual([3, 7]);
    expect(alarms).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(["refuted"]);
  });

  test("that was refuted is ignored when repeated, without another request", async () => {
    const { watch, alarms, events, asked } = world(0, 1);
    for (let i = 0; i < 5; i++) {
      watch.logs([forged(5)]);
      await countedAt(watch, 10 + i);
      watch.rewind();
    }
    expect([asked(), alarms, events.length]).toEqual([1, [], 1]);
  });

  test("does not prevent the acceptance of a valid one, even in a flood", async () => {
    const { watch, chain, alarms } = world(0, 1);
    watch.logs(Array.from({ length: 200 }, (_, i) => ({ ...forged(5), stateRoot: BigInt(i) })));
    watch.logs([updateOf(7, L1_NEXT)]);
    for (let i = 0; i < 20; i++) await countedAt(watch, 10 + i);
    expect(chain.settled).toEqual([7]);
    expect(alarms).toEqual([]);
  });

  test("of one of two endpoints only stops acceptance, until it is refuted", async () => {
    const { watch, chain, alarms, events, asked } = world(1, 1);
    watch.logs([updateOf(3), forged(5), updateOf(7, L1_NEXT)]);
    for (const block of [8, 8, 9]) await countedAt(watch, block);
    expect([chain.settled, alarms]).toEqual([[3], []]);
    expect(events.map(({ kind }) => kind)).toEqual(["doubted", "doubted"]);
    expect(asked()).toBe(2);
    watch.ask = () => Promise.resolve([honest("http://a"), honest("http://b")]);
    await countedAt(watch, 10);
    expect([chain.settled, alarms]).toEqual([[3, 7], []]);
    expect(events.slice(2).map(({ kind }) => kind)).toEqual(["refuted", "resolved"]);
  });
});

describe("a single endpoint", () => {
  test("is trusted at its second report, once L1's head at the first one is final", async () => {
    const { watch, alarms, events, asked } = world(1, 0);
    watch.logs([forged(5)]);
    for (const [block, head] of [
      [8, 11],
      [9, 12],
      [10, 13],
    ] as const) {
      await countedAt(watch, block, head);
    }
    expect([asked(), alarms.length]).toEqual([1, 0]);
    expect(events[0]).toMatchObject({
      kind: "doubted",
      said: expect.stringContaining("asked again at L1 block 11"),
    });
    await countedAt(watch, 11, 14);
    expect(asked()).toBe(2);
    expect(alarms).toHaveLength(1);
    expect(alarms[0]?.message).toContain("Of the endpoints, http://0 confirms it.");
  });

  test("must confirm at another L1 block if its newest block counts", async () => {
    const { watch, alarms } = world(1, 0);
    watch.logs([forged(5)]);
    for (const block of [8, 8, 8]) await countedAt(watch, block);
    expect(alarms).toEqual([]);
    await countedAt(watch, 9);
    expect(alarms).toHaveLength(1);
  });

  test("is trusted also if only the core contract's state shows the update", async () => {
    const { watch, alarms } = world(1, 0);
    for (const block of [8, 9]) {
      watch.coreState(forged(5), at(block));
      await countedAt(watch, block);
    }
    expect(alarms).toHaveLength(1);
  });

  test("can withdraw its update", async () => {
    const { watch, chain, alarms } = world(1, 0);
    watch.logs([forged(5), updateOf(7, L1_NEXT)]);
    await countedAt(watch, 8);
    watch.ask = () => Promise.resolve([honest("http://0")]);
    await countedAt(watch, 9);
    expect([alarms, chain.settled]).toEqual([[], [7]]);
  });

  test("receives another request at the next block if it fails", async () => {
    const { watch, alarms } = world(1, 0);
    watch.logs([forged(5)]);
    await countedAt(watch, 8);
    const { ask } = watch;
    watch.ask = () => Promise.reject(new RangeError("L1 is away"));
    expect(await countedAt(watch, 9).catch((error: unknown) => error)).toBeInstanceOf(RangeError);
    watch.ask = ask;
    await countedAt(watch, 9);
    expect(alarms).toHaveLength(1);
  });
});

test("is not asked after a reset until L1 is read to its newest block", async () => {
  const { watch, alarms, asked } = world(2, 0);
  watch.reset();
  watch.logs([forged(5)]);
  await watch.step();
  expect(asked()).toBe(0);
  await countedAt(watch, 8);
  expect(alarms).toHaveLength(1);
});

for (const change of ["reset", "rewind"] as const) {
  test(`a report that arrives after a ${change} is discarded`, async () => {
    const { watch, alarms, events } = world(2, 0);
    const answer = Promise.withResolvers<readonly StateReport[]>();
    watch.ask = () => answer.promise;
    watch.logs([forged(5)]);
    const stepping = watch.step();
    watch[change]();
    answer.resolve(["http://a", "http://b"].map((name) => watch.report(name, L1_BLOCK.number)));
    await stepping;
    expect([alarms, events]).toEqual([[], []]);
  });
}
