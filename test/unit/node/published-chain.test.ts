import { expect, test } from "bun:test";
import { PublishedChain } from "#node/published-chain.ts";
import { numberedChain, storageState } from "#test/helpers/memory-chain.ts";

test("a committed block stays hidden until it is published", () => {
  let latest = 3;
  const stored = {
    ...numberedChain(3, () => storageState(new Map())),
    latestNumber: () => latest,
    numberByHash: (hash: bigint) => Number(hash),
  };
  const chain = new PublishedChain(stored);
  latest = 4;
  expect([chain.latestNumber(), chain.numberByHash(4n)]).toEqual([3, undefined]);
  chain.publish(4);
  expect([chain.latestNumber(), chain.numberByHash(4n)]).toEqual([4, 4]);
});

test("a late announcement does not take blocks back", () => {
  const chain = new PublishedChain(numberedChain(5, () => storageState(new Map())));
  chain.publish(2);
  expect(chain.latestNumber()).toBe(5);
});
