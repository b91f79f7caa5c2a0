import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { EventQuery } from "#engine/state/index.ts";
import { BlockWriter } from "#io/storage/block/writer.ts";
import type { Event } from "#protocol/chain/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { type ChainFolder, openChainFolder } from "#test/helpers/chain-folder.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** The first full segment is merged, the second half merged. */
const LATEST = 2 * 1024 + 2 * 32 + 9;

/**
 * Few events per block, from small ranges so that queries match; some by chance, in few blocks.
 */
function eventsOf(block: number, fork = 0): Event[] {
  const mixed = (Math.imul(block + 1, 0x9e37_79b1) >>> 0) + fork;
  const some = (shift: number, of: number): bigint => BigInt((mixed >>> shift) % of);
  return Array.from({ length: mixed % 3 }, (_, i) => ({
    fromAddress: some(i + 3, 6),
    keys: [some(i + 5, 4), some(i + 7, 300), BigInt(block)].slice(0, (mixed >>> 9) % 4),
    data: [],
  }));
}

let chain: ChainFolder;
/** Stores blocks from `from` to `to`. */
function store(from: number, to: number, fork = 0): void {
  const blocks = new BlockWriter(chain.writing.statements);
  chain.writing.connection.transaction(() => {
    for (let number = from; number <= to; number++) {
      const receipts = [fakeReceipt({ transactionHash: 1n, events: eventsOf(number, fork) })];
      blocks.insert(blockCommit(number, { fork, receipts }));
    }
  })();
}

/** Deletes the blocks above `latest`. */
function keepUpTo(latest: number): void {
  const blocks = new BlockWriter(chain.writing.statements);
  chain.writing.connection.transaction(() => blocks.deleteAbove(latest))();
}

beforeAll(async () => {
  chain = await openChainFolder();
  store(0, LATEST);
});

afterAll(() => chain[Symbol.dispose]());

/**
 * Whether some event has one of the addresses, and for each position some event one of the keys.
 */
function mayMatch(events: readonly Event[], { addresses, keys }: EventQuery): boolean {
  if (events.length === 0) return false;
  if (addresses.length > 0 && !events.some((each) => addresses.includes(each.fromAddress)))
    return false;
  return keys.every(
    (alternatives, position) =>
      alternatives.length === 0 ||
      events.some((each) =>
        each.keys.slice(position, position + 1).some((k) => alternatives.includes(k)),
      ),
  );
}

function naiveNext(query: EventQuery, from: number, to: number, fork = 0): number | undefined {
  for (let block = Math.max(from, 0); block <= Math.min(to, LATEST); block++) {
    if (mayMatch(eventsOf(block, fork), query)) return block;
  }
  return undefined;
}

/** All blocks that a search visits. */
function found(query: EventQuery, from = 0, to = LATEST): number[] {
  const blocks: number[] = [];
  for (let next = chain.reader.nextEventBlock(query, from, to); next !== undefined;) {
    blocks.push(next);
    next = chain.reader.nextEventBlock(query, next + 1, to);
  }
  return blocks;
}

const naive = (query: EventQuery, fork = 0): number[] =>
  Array.from({ length: LATEST + 1 }, (_, block) => block).filter((block) =>
    mayMatch(eventsOf(block, fork), query),
  );

const choices = (most: number) =>
  fc.array(fc.bigInt({ min: 0n, max: BigInt(most) }), { maxLength: 4 });
const queries: fc.Arbitrary<EventQuery> = fc.record({
  addresses: choices(7),
  keys: fc
    .tuple(choices(5), choices(310), choices(LATEST + 10))
    .chain((keys) => fc.subarray([0, 1, 2, 3]).map((kept) => keys.slice(0, kept.length))),
});
const numbers = fc.integer({ min: 0, max: LATEST + 40 });

describe("nextEventBlock", () => {
  test("finds the next block with an address and a key of each position", () => {
    assertProperty(
      fc.property(queries, numbers, numbers, (query, from, to) => {
        expect(chain.reader.nextEventBlock(query, from, to)).toBe(naiveNext(query, from, to));
      }),
      { numRuns: 400 },
    );
  });

  test("visits all matching blocks", () => {
    assertProperty(
      fc.property(queries, (query) => {
        expect(found(query)).toEqual(naive(query));
      }),
      { numRuns: 20 },
    );
  });

  test("finds blocks by one of 256 keys", () => {
    const rare = Array.from({ length: 255 }, (_, i) => 1_000_000n + BigInt(i));
    const query = { addresses: [], keys: [[], [], [...rare, 700n]] };
    expect(found(query)).toEqual(naive(query));
    expect(found({ ...query, keys: [[], [], rare] })).toEqual([]);
    expect(
      found({ ...query, keys: [[], [], Array.from({ length: 256 }, (_, i) => BigInt(i))] }),
    ).toEqual(
      naive({ ...query, keys: [[], [], Array.from({ length: 256 }, (_, i) => BigInt(i))] }),
    );
  });

  test("hardly ever returns a false positive", () => {
    const wrong = Array.from({ length: 2000 }, (_, i) => ({
      addresses: [(1n << 200n) + BigInt(i)],
      keys: [],
    })).flatMap((query) => found(query));
    // 2000 searches over 1100 blocks: about 2000 * 2000 items / 2^32 false positives are
    // expected.
    expect(wrong.length).toBeLessThanOrEqual(1);
  });
});

test("a repeated query finds the blocks of another fork", async () => {
  using other = await openChainFolder();
  const before = chain;
  chain = other;
  store(0, LATEST);
  const query = { addresses: [], keys: [[1n], [7n]] };
  expect(found(query)).toEqual(naive(query));
  const middle = 1000;
  expect(chain.reader.nextEventBlock(query, middle, LATEST)).toBe(naiveNext(query, middle, LATEST));
  chain.writer.revertTo(-1);
  expect(chain.reader.nextEventBlock(query, 0, LATEST)).toBeUndefined();
  store(0, LATEST, 5);
  expect(naive(query, 5)).not.toEqual(naive(query));
  expect(found(query)).toEqual(naive(query, 5));
  chain = before;
});

test("all blocks are found while a full segment is merged and its parts are removed", async () => {
  using folder = await openChainFolder();
  const before = chain;
  chain = folder;
  const query = { addresses: [1n, 4n], keys: [[], [1n, 2n, 3n]] };
  const expected = naive(query);
  let stored = 0;
  for (const latest of [1022, 1023, 1024, 1087, 1150, 1151, 1152, 1182, 1183, 1184, 1300]) {
    store(stored, latest);
    stored = latest + 1;
    expect([latest, found(query)]).toEqual([latest, expected.filter((block) => block <= latest)]);
  }
  for (const latest of [1183, 1160, 1151, 1150, 1100, 1024, 1023, 1022]) {
    keepUpTo(latest);
    expect([latest, found(query)]).toEqual([latest, expected.filter((block) => block <= latest)]);
  }
  chain = before;
});
