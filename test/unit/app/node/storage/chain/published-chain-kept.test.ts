import { expect, test } from "bun:test";
import { PublishedChain } from "#app/node/storage/chain/published-chain.ts";
import type { ChainReader } from "#engine/state/index.ts";
import type { ExecutableClass } from "#protocol/chain/index.ts";
import { callLoopClass } from "#test/helpers/call-loop.ts";
import { numberedChain, storageState } from "#test/helpers/memory-chain.ts";

const STATE = storageState(new Map());

test("caches a value of the newest block until another block is the newest", () => {
  const asked: number[] = [];
  const published = new PublishedChain({
    ...numberedChain(9, () => STATE),
    latestNumber: () => 4,
    stateAt: (block) => ({ ...STATE, nonceAt: () => BigInt(asked.push(block)) }),
  });
  const read = (block: number) => published.stateAt(block).nonceAt(1n);
  expect([read(4), read(4), read(3), read(3)]).toEqual([1n, 1n, 2n, 3n]);
  published.publish(5);
  expect([read(5), read(5), read(4)]).toEqual([4n, 4n, 5n]);
  expect(asked).toEqual([4, 3, 3, 5, 4]);
});

test("caches a class across blocks until blocks are reverted", () => {
  const asked: number[] = [];
  const CLASS_HASH = 0x77n;
  const classAt = (block: number): ExecutableClass => {
    asked.push(block);
    return { ...callLoopClass([], CLASS_HASH), abiLength: block };
  };
  const published = new PublishedChain({
    ...numberedChain(9, () => STATE),
    latestNumber: () => 4,
    stateAt: (block) => ({ ...STATE, executableClass: () => classAt(block) }),
  });
  const read = (block: number) => published.stateAt(block).executableClass(CLASS_HASH)?.abiLength;
  const held = published.stateAt(4);
  expect([read(4), read(4)]).toEqual([4, 4]);
  published.publish(5);
  expect([read(5), asked]).toEqual([4, [4]]);
  published.withdraw(4);
  expect([read(4), read(4), asked]).toEqual([4, 4, [4, 4]]);
  published.reset();
  expect([read(4), asked]).toEqual([4, [4, 4, 4]]);
  // An older state handle reads from storage.
  held.executableClass(CLASS_HASH);
  held.executableClass(CLASS_HASH);
  expect(asked).toHaveLength(5);
});

/** A chain whose values contain a generation; a revert starts the next one. */
function revertedChain() {
  let generation = 0;
  let latest = 9;
  const value = (block: number) => BigInt(generation * 100 + block);
  const chain: ChainReader = {
    ...numberedChain(9, () => STATE),
    latestNumber: () => latest,
    stateAt: (block) => ({ ...STATE, nonceAt: () => value(block) }),
    header: (number) => ({ hash: value(number) }) as ReturnType<ChainReader["header"]>,
    locate: (hash) => ({ blockNumber: Number(hash), index: generation }),
  };
  return {
    chain,
    revertTo(block: number) {
      generation++;
      latest = block;
    },
  };
}

test("returns nothing of a reverted block for its replacement", () => {
  const { chain, revertTo } = revertedChain();
  const published = new PublishedChain(chain);
  const seen = (block: number) => [
    published.stateAt(block).nonceAt(1n),
    published.header(block)?.hash,
    published.locate(BigInt(block))?.index,
  ];
  const held = published.stateAt(9);
  expect([seen(9), seen(9), held.nonceAt(1n)]).toEqual([[9n, 9n, 0], [9n, 9n, 0], 9n]);
  published.withdraw(7);
  expect([seen(7), published.header(9), published.locate(9n)]).toEqual([
    [7n, 7n, 0],
    undefined,
    undefined,
  ]);
  revertTo(6);
  published.reset();
  expect(seen(6)).toEqual([106n, 106n, 1]);
  published.publish(9);
  expect([seen(9), seen(6)]).toEqual([
    [109n, 109n, 1],
    [106n, 106n, 1],
  ]);
  // An older state handle reads from storage, as it would without the cache.
  expect(held.nonceAt(1n)).toBe(109n);
});

test("does not cache a hidden block as missing", () => {
  const { chain } = revertedChain();
  const published = new PublishedChain({ ...chain, latestNumber: () => 3 });
  expect([published.header(4), published.locate(4n)]).toEqual([undefined, undefined]);
  published.publish(4);
  expect([published.header(4)?.hash, published.locate(4n)?.blockNumber]).toEqual([4n, 4]);
});

test("reads the L1-accepted number once for concurrent requests", async () => {
  const { chain } = revertedChain();
  let [reads, accepted] = [0, 3];
  const l1AcceptedNumber = () => {
    reads++;
    return accepted;
  };
  const published = new PublishedChain({ ...chain, l1AcceptedNumber });
  expect([published.l1AcceptedNumber(), published.l1AcceptedNumber(), reads]).toEqual([3, 3, 1]);
  accepted = 4;
  await new Promise((resolve) => setImmediate(resolve));
  expect([published.l1AcceptedNumber(), reads]).toEqual([4, 2]);
  accepted = 2;
  published.reset();
  expect(published.l1AcceptedNumber()).toBe(2);
});
