import { describe, expect, test } from "bun:test";
import { MAX_METHOD_LIMITS } from "#api/rpc/limits/method-limits.ts";
import { createFakeChain, fakeHeader, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { eventFilterWith, pageOf } from "#test/helpers/event-world.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";

const BLOCKS = 1_000_000;
const EVENT = { fromAddress: 1n, keys: [2n], data: [3n] };

/** Contents of each block of a long chain. */
interface Contents {
  /** Transactions per block. */
  readonly receipts: number;
  /** Events per transaction. */
  readonly events: number;
}

/** Long chain where all or none of the blocks have events; counts the reads. */
function longChain(hasEvents: boolean, contents: Contents = { receipts: 1, events: 1 }) {
  const reads = { blocks: 0, calls: 0, read: 0, ends: [] as number[] };
  const events = Array.from({ length: contents.events }, () => EVENT);
  const context = sampleContext({
    chainId: 0n,
    chain: {
      ...createFakeChain([]),
      latestNumber: () => BLOCKS - 1,
      header: (number) => fakeHeader({ number }),
      receipts: (number) => {
        reads.read++;
        return Array.from({ length: contents.receipts }, () =>
          fakeReceipt({ transactionHash: BigInt(number), events }),
        );
      },
      nextEventBlock: (_query, from, to) => {
        reads.calls++;
        reads.ends.push(to);
        reads.blocks += hasEvents ? 1 : to - from + 1;
        return hasEvents ? from : undefined;
      },
    },
    pending: () => undefined,
    limits: MAX_METHOD_LIMITS,
  });
  return { reads, context };
}

/** Reads per page of a filter. */
function pagesOf(hasEvents: boolean, parts: Parameters<typeof eventFilterWith>[0], maxPages = 100) {
  const pages: { blocks: number; calls: number; read: number; events: number }[] = [];
  let token: string | undefined;
  do {
    const { reads, context } = longChain(hasEvents);
    const filter = eventFilterWith({
      ...parts,
      ...(token === undefined ? {} : { continuationToken: token }),
    });
    const { events, continuationToken } = pageOf(context, filter);
    pages.push({ ...reads, events: events.length });
    token = continuationToken;
  } while (token !== undefined && pages.length < maxPages);
  return pages;
}

const keysOf = (count: number): bigint[] => Array.from({ length: count }, (_, i) => BigInt(i));

describe("event search through a million blocks", () => {
  test("without a match for one key takes one page", () => {
    const [page, ...rest] = pagesOf(false, { keys: [[1n]] });
    expect(rest).toEqual([]);
    expect(page).toMatchObject({ blocks: BLOCKS, events: 0 });
    expect(page?.calls).toBeLessThan(10);
  });

  test("without a match for 256 keys takes several pages", () => {
    const pages = pagesOf(false, { keys: [keysOf(256)] });
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.length).toBeLessThan(20);
    expect(pages.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(BLOCKS);
    for (const { blocks } of pages) expect((blocks / 1024) * 256).toBeLessThan(40_000);
  });

  test("advances by at least one index window with the maximum number of keys", () => {
    const pages = pagesOf(false, { keys: [keysOf(50_000)] }, 5);
    for (const { blocks } of pages) expect(blocks).toBe(1024);
  });

  test("with matches everywhere ends when the page is full", () => {
    for (const { read, events } of pagesOf(true, { chunkSize: 1000 }, 5)) {
      expect(events).toBe(1000);
      expect(read).toBeLessThan(1003);
    }
  });

  test("with matches everywhere ends at the work budget, however large the page may be", () => {
    for (const { read, events } of pagesOf(true, { chunkSize: 100_000 }, 5)) {
      expect(events).toBe(read);
      expect(read).toBeLessThan(3000);
    }
  });
});

describe("event page without matches", () => {
  const readOf = (contents: Contents): number => {
    const { reads, context } = longChain(true, contents);
    expect(pageOf(context, eventFilterWith({ keys: [[99n]] })).events).toEqual([]);
    return reads.read;
  };

  // Budget of 5000 units: 1 a block, 2 a header, 1 a receipt and 1/8 an event.
  test("ends after few blocks with many transactions", () => {
    expect(readOf({ receipts: 0, events: 0 })).toBe(Math.floor(5000 / 3) + 1);
    expect(readOf({ receipts: 97, events: 0 })).toBe(51);
  });

  test("ends after few blocks with many events", () => {
    expect(readOf({ receipts: 1, events: 8 * 96 })).toBe(51);
  });
});

test("index lookups end at window boundaries wherever the range begins", () => {
  const { reads, context } = longChain(false);
  const fromBlock = { kind: "number", number: 1000 } as const;
  pageOf(context, eventFilterWith({ fromBlock, keys: [keysOf(64)] }));
  expect(reads.ends.length).toBeGreaterThan(1);
  for (const end of reads.ends) expect((end + 1) % 1024 === 0 || end === BLOCKS - 1).toBe(true);
});
