import { describe, expect, test } from "bun:test";
import { type BlockInfo, emptyStateDiff } from "#protocol/chain/index.ts";
import { PendingFeed } from "#services/admission/pending-feed.ts";
import { encodePendingDelta, type StateReader } from "#engine/state/index.ts";
import { numberedChain, storageState } from "#test/helpers/memory-chain.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { base, delta } from "#test/helpers/pending-deltas.ts";

const price = { wei: 1n, fri: 1n };
const info = (number: number): BlockInfo => ({
  number,
  timestamp: number,
  sequencerAddress: 1n,
  gasPrices: { l1Gas: price, l1DataGas: price, l2Gas: price },
  l1DaMode: "BLOB",
  protocolVersion: "0.14.4",
});

function message(blockNumber: number, sequence: number) {
  const bytes = encodePendingDelta({
    blockNumber,
    sequence,
    info: sequence === 0 ? info(blockNumber) : null,
    transactions: [],
    receipts: [],
    diff: emptyStateDiff(),
    classes: [],
    sealed: false,
  });
  return { kind: "delta", blockNumber, sequence, bytes } as const;
}

const feedAt = (latest: number) =>
  new PendingFeed(
    numberedChain(latest, () => storageState(new Map())),
    new FakeTimer(),
  );

const pendingNumbers = (feed: PendingFeed) =>
  feed
    .current()
    .blocks()
    .map((block) => block.info.number);

test("shows the blocks above the accepted one", () => {
  const feed = feedAt(3);
  feed.delta(message(4, 0));
  feed.delta(message(5, 0));
  expect(pendingNumbers(feed)).toEqual([4, 5]);
});

test("ignores a delta received after its block's acceptance", () => {
  const feed = feedAt(3);
  feed.delta(message(4, 0));
  feed.accepted({ blockNumber: 4 });
  feed.delta(message(4, 1));
  feed.delta(message(5, 0));
  expect(pendingNumbers(feed)).toEqual([5]);
});

test("discards a partially decoded block on its acceptance", () => {
  const feed = feedAt(3);
  feed.delta(message(4, 0));
  expect(pendingNumbers(feed)).toEqual([4]);
  feed.delta(message(4, 1));
  feed.accepted({ blockNumber: 4 });
  feed.delta(message(5, 0));
  expect(pendingNumbers(feed)).toEqual([5]);
});

test("reports its position and resolves waits for a later one", async () => {
  const feed = feedAt(3);
  feed.delta(message(4, 0));
  const wanted = { accepted: 4, blockNumber: 5, sequence: 1, generation: 0 };
  const waiting = feed.reach(wanted);
  feed.delta(message(5, 0));
  feed.accepted({ blockNumber: 4 });
  feed.delta(message(5, 1));
  expect(await waiting).toBe(true);
  expect(feed.position).toEqual(wanted);
  expect(feed.reach(wanted)).toBeUndefined();
});

test("a wait for a block resolves after the block is accepted", async () => {
  const feed = feedAt(3);
  feed.delta(message(4, 0));
  const waiting = feed.reach({ accepted: 4, blockNumber: 4, sequence: 0, generation: 0 });
  feed.accepted({ blockNumber: 4 });
  expect(await waiting?.then(() => pendingNumbers(feed))).toEqual([]);
});

test("a loss resolves waits and restarts the feed above the accepted chain", async () => {
  const feed = feedAt(3);
  feed.delta(message(4, 0));
  expect(pendingNumbers(feed)).toEqual([4]);
  feed.delta(message(4, 1));
  const seen = feed.position;
  const waiting = feed.reach({ ...seen, sequence: 7 });
  feed.lost();
  expect([await waiting, feed.reach(seen), pendingNumbers(feed)]).toEqual([true, undefined, []]);
  expect(feed.position).toEqual({ accepted: 3, blockNumber: 3, sequence: 0, generation: 1 });
  feed.delta(message(4, 0));
  expect(pendingNumbers(feed)).toEqual([4]);
  // A later position must be reached in the new generation too.
  expect(feed.reach({ ...feed.position, sequence: 1 })).toBeInstanceOf(Promise);
});

test("restarts at the block that the chain was reverted to", async () => {
  let latest = 5;
  const feed = new PendingFeed(
    { ...numberedChain(5, () => storageState(new Map())), latestNumber: () => latest },
    new FakeTimer(),
  );
  feed.delta(message(6, 0));
  feed.delta(message(7, 0));
  expect(pendingNumbers(feed)).toEqual([6, 7]);
  feed.delta(message(8, 0));
  const waiting = feed.reach({ accepted: 8, blockNumber: 8, sequence: 0, generation: 0 });
  latest = 3;
  feed.reset();
  expect(await waiting).toBe(false);
  expect([pendingNumbers(feed), feed.position.accepted]).toEqual([[], 3]);
  feed.delta(message(4, 0));
  expect(pendingNumbers(feed)).toEqual([4]);
});

describe("a block accepted before its deltas were read", () => {
  /** Feed that counts storage reads; block 4 changes variable 7 of contract 1 to 44. */
  function readFeed() {
    const reads: bigint[] = [];
    const chain = base(4);
    const stateAt = (block: number): StateReader => ({
      ...chain.stateAt(block),
      storageAt(address, key) {
        reads.push(key);
        return chain.stateAt(block).storageAt(address, key);
      },
    });
    const feed = new PendingFeed({ ...chain, latestNumber: () => 3, stateAt }, new FakeTimer());
    const bytes = encodePendingDelta({ ...delta(4, 0, [[7n, 44n]]), sealed: true });
    return {
      feed,
      reads,
      bytes,
      arrives: (own: Uint8Array<ArrayBuffer>) =>
        feed.delta({ kind: "delta", blockNumber: 4, sequence: 0, bytes: own }),
      variable: () => feed.current().state().storageAt(1n, 7n),
    };
  }

  test("updates cached state, which is not read again", () => {
    const { feed, reads, bytes, arrives, variable } = readFeed();
    expect(variable()).toBe(3n);
    arrives(bytes);
    feed.accepted({ blockNumber: 4 });
    expect([variable(), reads.length]).toEqual([44n, 1]);
  });

  test("is not decoded if the previous state was not read", () => {
    const { feed, reads, arrives, variable } = readFeed();
    arrives(new Uint8Array([255]));
    feed.accepted({ blockNumber: 4 });
    expect([variable(), reads.length]).toEqual([4n, 1]);
  });

  test("is read from the database if some of its deltas are missing", () => {
    const { feed, reads, arrives, variable } = readFeed();
    expect(variable()).toBe(3n);
    arrives(encodePendingDelta(delta(4, 0, [[7n, 44n]])));
    feed.accepted({ blockNumber: 4 });
    expect([variable(), reads.length]).toEqual([4n, 2]);
  });
});
