import { describe, expect, test } from "bun:test";
import { prepareUsualClasses, usualClasses } from "#app/node/threads/warm-up/usual-classes.ts";
import { DecodeError, StorageError } from "#base/errors/index.ts";
import {
  type CasmClass,
  EMPTY_STATE_DIFF,
  type ExecutableClass,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type { ForkSetup } from "#app/node/setup/fork.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const WARM = { warmUpTransfers: 1, fork: null };

const casms = new Map<bigint, CasmClass>();

/** The program of a class, always the same object. */
function casmOf(classHash: bigint): CasmClass {
  const casm = casms.get(classHash) ?? ({ classHash } as unknown as CasmClass);
  casms.set(classHash, casm);
  return casm;
}

const LEGACY = 5n;
const UNKNOWN_HINT = 7n;
const UNKNOWN = 9n;
const DAMAGED = 8n;

/** A state in which each address divided by 100 is the hash of its class. */
const state = {
  classHashAt: (address: bigint) => address / 100n,
  executableClass(classHash: bigint) {
    if (classHash === UNKNOWN) return undefined;
    if (classHash === DAMAGED) throw new TypeError("damaged");
    const casm = classHash === LEGACY ? null : casmOf(classHash);
    return { classHash, casm } as unknown as ExecutableClass;
  },
};

const chainOf = (diffs: readonly Partial<StateDiff>[]) => ({
  latestNumber: () => diffs.length - 1,
  stateDiff: (number: number) => ({ ...EMPTY_STATE_DIFF, ...diffs[number] }),
});

/** Block 0 with two contracts of each class. */
const genesisOf = (...hashes: bigint[]) => ({
  deployedContracts: new Map(
    hashes.flatMap((hash) => [
      [100n * hash, hash],
      [100n * hash + 1n, hash],
    ]),
  ),
});
const GENESIS = genesisOf(1n, 2n);

/** A block with a transaction from each of these accounts. */
const sentBy = (...accounts: bigint[]) => ({
  nonces: new Map(accounts.map((account) => [account, 1n])),
});

describe("usual classes", () => {
  test("are those of the senders in the newest block with transactions, then of changed contracts", () => {
    const storageDiffs = new Map([[400n, new Map()]]);
    const full = { ...sentBy(300n, 301n, 600n), storageDiffs };
    const chain = chainOf([GENESIS, sentBy(500n), full, {}, {}]);
    expect(usualClasses(chain, state)).toEqual([3n, 6n, 4n]);
  });

  test("are those of block 0 on a chain without transactions", () => {
    expect(usualClasses(chainOf([GENESIS]), state)).toEqual([1n, 2n]);
    expect(usualClasses(chainOf([GENESIS, {}]), state)).toEqual([1n, 2n]);
    expect(usualClasses(chainOf([]), state)).toEqual([]);
  });

  test("are limited to eight, from the 16 newest blocks", () => {
    const many = sentBy(...Array.from({ length: 20 }, (_, i) => BigInt(1000 + 100 * i)));
    const empty = (count: number) => Array.from({ length: count }, () => ({}));
    expect(usualClasses(chainOf([GENESIS, many, ...empty(15)]), state)).toHaveLength(8);
    expect(usualClasses(chainOf([GENESIS, many, ...empty(16)]), state)).toEqual([1n, 2n]);
  });
});

describe("preparation of usual classes", () => {
  const turns = async (): Promise<void> => {
    for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve));
  };

  /** A machine that records the classes it prepares. */
  function machine() {
    const prepared: CasmClass[] = [];
    const prepare = (casm: CasmClass) => {
      if (casm === casmOf(UNKNOWN_HINT)) throw new DecodeError("hints", "a known hint");
      prepared.push(casm);
    };
    return { prepared, prepare };
  }

  test("prepares one class per turn, and skips Cairo 0 and unusable classes", async () => {
    const timer = new FakeTimer();
    const vm = machine();
    const chain = chainOf([genesisOf(1n, LEGACY, UNKNOWN, UNKNOWN_HINT, DAMAGED, 2n)]);
    prepareUsualClasses(WARM, vm.prepare, chain, state, timer);
    timer.advance(100);
    expect(vm.prepared).toEqual([casmOf(1n)]);
    await turns();
    expect(vm.prepared).toEqual([casmOf(1n), casmOf(2n)]);
  });

  test("ends when stopped", async () => {
    const timer = new FakeTimer();
    const vm = machine();
    const work = prepareUsualClasses(WARM, vm.prepare, chainOf([genesisOf(3n, 4n)]), state, timer);
    timer.advance(100);
    work.stop();
    await turns();
    expect(vm.prepared).toEqual([casmOf(3n)]);
  });

  test("does nothing if warm-up is disabled, and on a fork", async () => {
    const timer = new FakeTimer();
    const vm = machine();
    const unread = { latestNumber: () => expect.unreachable(), stateDiff: () => undefined };
    prepareUsualClasses({ warmUpTransfers: 0, fork: null }, vm.prepare, unread, state, timer);
    prepareUsualClasses({ ...WARM, fork: {} as ForkSetup }, vm.prepare, unread, state, timer);
    timer.advance(100);
    await turns();
    expect(vm.prepared).toEqual([]);
  });

  test("does nothing if the chain cannot be read", async () => {
    const timer = new FakeTimer();
    const vm = machine();
    const stateDiff = () => {
      throw new StorageError("STORAGE_FAILED", "unreadable");
    };
    prepareUsualClasses(WARM, vm.prepare, { latestNumber: () => 0, stateDiff }, state, timer);
    timer.advance(100);
    await turns();
    expect(vm.prepared).toEqual([]);
  });
});
