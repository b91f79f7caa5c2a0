import { expect, test } from "bun:test";
import fc from "fast-check";
import { PublishedChain } from "#app/node/chain/published-chain.ts";
import { TipState } from "#app/node/chain/tip-state.ts";
import { type ChainReader, ClassCache, type StateReader } from "#engine/state/index.ts";
import type { ExecutableClass } from "#protocol/chain/index.ts";
import { callLoopClass } from "#test/helpers/call-loop.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** A state whose values name who asks for what, and how often it was asked. */
function countedState(block: number) {
  const asked: string[] = [];
  const of = (what: string): bigint => {
    asked.push(what);
    return BigInt(`0x${Buffer.from(`${block} ${what}`).toString("hex")}`);
  };
  const state: StateReader = {
    storageAt: (address, key) => of(`s ${address} ${key}`),
    nonceAt: (address) => of(`n ${address}`),
    classHashAt: (address) => of(`c ${address}`),
    compiledClassHashOf: (classHash) => of(`k ${classHash}`),
    executableClass: () => undefined,
  };
  return { state, asked };
}

const READS = {
  storage: (state: StateReader, a: bigint, b: bigint) => state.storageAt(a, b),
  nonce: (state: StateReader, a: bigint) => state.nonceAt(a),
  classHash: (state: StateReader, a: bigint) => state.classHashAt(a),
  compiled: (state: StateReader, a: bigint) => state.compiledClassHashOf(a),
} as const;

const small = fc.bigInt({ min: 0n, max: 4n });
const read = fc.tuple(fc.constantFrom("storage", "nonce", "classHash", "compiled"), small, small);

test("a kept state answers as the one below, however few values it keeps", () => {
  assertProperty(
    fc.property(
      fc.nat(6),
      fc.array(read, { maxLength: 60 }),
      fc.nat(60),
      (most, reads, leaveAt) => {
        const { state } = countedState(1);
        const tip = new TipState(state, most + 1, new ClassCache());
        for (const [i, [kind, a, b]] of reads.entries()) {
          if (i === leaveAt) tip.leave();
          expect(READS[kind](tip, a, b)).toBe(READS[kind](state, a, b));
        }
      },
    ),
  );
});

test("a value is looked up once, until the block is not the newest one any more", () => {
  const { state, asked } = countedState(1);
  const tip = new TipState(state, 10, new ClassCache());
  const all = () => [tip.storageAt(1n, 2n), tip.nonceAt(1n), tip.classHashAt(1n)];
  all();
  all();
  expect(asked).toEqual(["s 1 2", "n 1", "c 1"]);
  tip.leave();
  all();
  all();
  expect(asked).toHaveLength(9);
});

test("no more values are kept than there is room for", () => {
  const { state, asked } = countedState(1);
  const tip = new TipState(state, 4, new ClassCache());
  for (let key = 0n; key < 4n; key++) tip.storageAt(1n, key);
  tip.storageAt(1n, 0n);
  expect(asked).toHaveLength(4);
  tip.storageAt(1n, 4n);
  tip.storageAt(1n, 0n);
  expect(asked).toHaveLength(6);
});

test("a value of 0 is kept, too", () => {
  let asked = 0;
  const nonceAt = () => {
    asked++;
    return 0n;
  };
  const tip = new TipState({ ...countedState(1).state, nonceAt }, 4, new ClassCache());
  expect([tip.nonceAt(1n), tip.nonceAt(1n), asked]).toEqual([0n, 0n, 1]);
});

test("a class is looked up once, also for the blocks that follow, until blocks are reverted", () => {
  const asked: number[] = [];
  const CLASS_HASH = 0x77n;
  const classAt = (block: number): ExecutableClass => {
    asked.push(block);
    return { ...callLoopClass([], CLASS_HASH), abiLength: block };
  };
  const published = new PublishedChain({
    ...numberedChain(9, () => countedState(0).state),
    latestNumber: () => 4,
    stateAt: (block) => ({ ...countedState(0).state, executableClass: () => classAt(block) }),
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
  // Whoever holds the state of before reads what is stored.
  held.executableClass(CLASS_HASH);
  held.executableClass(CLASS_HASH);
  expect(asked).toHaveLength(5);
});

test("a class that is not there yet is looked for again", () => {
  let found: ExecutableClass | undefined;
  const state = { ...countedState(1).state, executableClass: () => found };
  const tip = new TipState(state, 4, new ClassCache());
  expect(tip.executableClass(1n)).toBeUndefined();
  found = callLoopClass([], 1n);
  expect(tip.executableClass(1n)).toBe(found);
});

/** A chain whose blocks have the values of a generation; a revert begins another one. */
function revertedChain() {
  let generation = 0;
  let latest = 9;
  const value = (block: number) => BigInt(generation * 100 + block);
  const chain: ChainReader = {
    ...numberedChain(9, () => countedState(0).state),
    latestNumber: () => latest,
    stateAt: (block) => ({ ...countedState(0).state, nonceAt: () => value(block) }),
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

test("nothing of a reverted block is told of the one in its place", () => {
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
  // Whoever still holds the state of before reads what is stored, as it would without it.
  expect(held.nonceAt(1n)).toBe(109n);
});

test("what is not shown yet is not kept as missing", () => {
  const { chain } = revertedChain();
  const published = new PublishedChain({ ...chain, latestNumber: () => 3 });
  expect([published.header(4), published.locate(4n)]).toEqual([undefined, undefined]);
  published.publish(4);
  expect([published.header(4)?.hash, published.locate(4n)?.blockNumber]).toEqual([4n, 4]);
});

test("what is accepted on L1 is looked up once for requests that arrive together", async () => {
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
