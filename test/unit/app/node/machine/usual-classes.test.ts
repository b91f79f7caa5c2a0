import { expect, test } from "bun:test";
import { prepareUsualClasses, usualClasses } from "#app/node/machine/usual-classes.ts";
import {
  type CasmClass,
  EMPTY_STATE_DIFF,
  type ExecutableClass,
  type StateDiff,
} from "#protocol/chain/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const casmOf = (name: bigint) => ({ name }) as unknown as CasmClass;
const classOf = (classHash: bigint) =>
  ({ classHash, casm: casmOf(classHash) }) as unknown as ExecutableClass;

/** A state in which the class of each address is a hundredth of it; of class 9 nothing is known. */
const state = {
  classHashAt: (address: bigint) => address / 100n,
  executableClass: (hash: bigint) => (hash === 9n ? undefined : classOf(hash)),
};

const chainOf = (diffs: readonly Partial<StateDiff>[]) => ({
  latestNumber: () => diffs.length - 1,
  stateDiff: (number: number) => ({ ...EMPTY_STATE_DIFF, ...diffs[number] }),
});
const GENESIS = {
  deployedContracts: new Map([
    [100n, 1n],
    [101n, 1n],
    [200n, 2n],
  ]),
};
const hashesOf = (classes: readonly ExecutableClass[]) => classes.map(({ classHash }) => classHash);

test("the classes of those who sent the newest block with transactions come first, then those that it changed", () => {
  const full = {
    nonces: new Map([
      [300n, 1n],
      [301n, 1n],
      [900n, 4n],
    ]),
    storageDiffs: new Map([[400n, new Map()]]),
  };
  const older = { nonces: new Map([[500n, 1n]]) };
  const chain = chainOf([GENESIS, older, full, {}, {}]);
  expect(hashesOf(usualClasses(chain, state))).toEqual([3n, 4n]);
});

test("a chain on which nobody has sent anything has those of block 0", () => {
  expect(hashesOf(usualClasses(chainOf([GENESIS]), state))).toEqual([1n, 2n]);
  expect(hashesOf(usualClasses(chainOf([GENESIS, {}]), state))).toEqual([1n, 2n]);
  expect(usualClasses(chainOf([]), state)).toEqual([]);
});

test("eight at the most, and 16 blocks are looked at", () => {
  const many = {
    nonces: new Map(Array.from({ length: 20 }, (_, i) => [BigInt(1000 + 100 * i), 1n])),
  };
  const empty = (count: number) => Array.from({ length: count }, () => ({}));
  expect(usualClasses(chainOf([GENESIS, many, ...empty(15)]), state)).toHaveLength(8);
  expect(hashesOf(usualClasses(chainOf([GENESIS, many, ...empty(16)]), state))).toEqual([1n, 2n]);
});

test("they are prepared one in each turn, without those of Cairo 0, until they are stopped", async () => {
  const timer = new FakeTimer();
  const prepared: CasmClass[] = [];
  const vm = {
    prepare(casm: CasmClass) {
      prepared.push(casm);
      return {} as never;
    },
  };
  const legacy = { classHash: 5n, casm: null } as unknown as ExecutableClass;
  const turns = async () => {
    for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  prepareUsualClasses(vm, () => [classOf(1n), legacy, classOf(2n)], timer);
  timer.advance(100);
  await turns();
  expect(prepared).toEqual([casmOf(1n), casmOf(2n)]);
  const work = prepareUsualClasses(vm, () => [classOf(3n), classOf(4n)], timer);
  timer.advance(100);
  work.stop();
  await turns();
  expect(prepared).toEqual([casmOf(1n), casmOf(2n), casmOf(3n)]);
});
