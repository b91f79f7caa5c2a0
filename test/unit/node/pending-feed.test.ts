import { expect, test } from "bun:test";
import type { BlockInfo } from "#chain/index.ts";
import { PendingFeed } from "#node/pending-feed.ts";
import { emptyStateDiff, encodePendingDelta } from "#state/index.ts";
import { numberedChain, storageState } from "#test/helpers/memory-chain.ts";

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
    sealed: false,
  });
  return { kind: "delta", blockNumber, bytes } as const;
}

const feedAt = (latest: number) =>
  new PendingFeed(numberedChain(latest, () => storageState(new Map())));

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

test("a delta that comes after its block's acceptance is ignored", () => {
  const feed = feedAt(3);
  feed.delta(message(4, 0));
  feed.accepted({ blockNumber: 4 });
  feed.delta(message(4, 1));
  feed.delta(message(5, 0));
  expect(pendingNumbers(feed)).toEqual([5]);
});

test("a block that is accepted half decoded leaves nothing behind", () => {
  const feed = feedAt(3);
  feed.delta(message(4, 0));
  expect(pendingNumbers(feed)).toEqual([4]);
  feed.delta(message(4, 1));
  feed.accepted({ blockNumber: 4 });
  feed.delta(message(5, 0));
  expect(pendingNumbers(feed)).toEqual([5]);
});
