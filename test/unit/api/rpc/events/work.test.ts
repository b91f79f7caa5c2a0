import { describe, expect, test } from "bun:test";
import { GREATEST_METHOD_LIMITS } from "#api/rpc/limits/method-limits.ts";
import { createFakeChain, fakeHeader, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { eventFilterWith, pageOf } from "#test/helpers/event-world.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";

const BLOCKS = 1_000_000;
const EVENT = { fromAddress: 1n, keys: [2n], data: [3n] };

/** What a block of a long chain holds. */
interface Contents {
  /** Transactions. */
  readonly receipts: number;
  /** Events of each. */
  readonly events: number;
}

/** A long chain, of whose blocks all or none have events; it counts what is asked of it. */
function longChain(hasEvents: boolean, contents: Contents = { receipts: 1, events: 1 }) {
  const asked = { blocks: 0, calls: 0, read: 0, ends: [] as number[] };
  const events = Array.from({ length: contents.events }, () => EVENT);
  const context = sampleContext({
    chainId: 0n,
    chain: {
      ...createFakeChain([]),
      latestNumber: () => BLOCKS - 1,
      header: (number) => fakeHeader({ number }),
      receipts: (number) => {
        asked.read++;
        return Array.from({ length: contents.receipts }, () =>
          fakeReceipt({ transactionHash: BigInt(number), events }),
        );
      },
      nextEventBlock: (_query, from, to) => {
        asked.calls++;
        asked.ends.push(to);
        asked.blocks += hasEvents ? 1 : to - from + 1;
        return hasEvents ? from : undefined;
      },
    },
    pending: () => undefined,
    limits: GREATEST_METHOD_LIMITS,
  });
  return { asked, context };
}

/** What each page of a filter asked of the chain. */
function pagesOf(hasEvents: boolean, parts: Parameters<typeof eventFilterWith>[0], most = 100) {
  const pages: { blocks: number; calls: number; read: number; events: number }[] = [];
  let token: string | undefined;
  do {
    const { asked, context } = longChain(hasEvents);
    const filter = eventFilterWith({
      ...parts,
      ...(token === undefined ? {} : { continuationToken: token }),
    });
    const { events, continuationToken } = pageOf(context, filter);
    pages.push({ ...asked, events: events.length });
    token = continuationToken;
  } while (token !== undefined && pages.length < most);
  return pages;
}

const keysOf = (count: number): bigint[] => Array.from({ length: count }, (_, i) => BigInt(i));

describe("a search through a million blocks", () => {
  test("in which nothing matches one key is one page", () => {
    const [page, ...rest] = pagesOf(false, { keys: [[1n]] });
    expect(rest).toEqual([]);
    expect(page).toMatchObject({ blocks: BLOCKS, events: 0 });
    expect(page?.calls).toBeLessThan(10);
  });

  test("in which nothing matches 256 keys passes some of them with each page", () => {
    const pages = pagesOf(false, { keys: [keysOf(256)] });
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.length).toBeLessThan(20);
    expect(pages.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(BLOCKS);
    for (const { blocks } of pages) expect((blocks / 1024) * 256).toBeLessThan(40_000);
  });

  test("for as many keys as an operator may allow still gets on, by a look at least", () => {
    const pages = pagesOf(false, { keys: [keysOf(50_000)] }, 5);
    for (const { blocks } of pages) expect(blocks).toBe(1024);
  });

  test("in which everything matches ends when the page is full", () => {
    for (const { read, events } of pagesOf(true, { chunkSize: 1000 }, 5)) {
      expect(events).toBe(1000);
      expect(read).toBeLessThan(1003);
    }
  });

  test("in which everything matches ends when it has cost enough, however large the page may be", () => {
    for (const { read, events } of pagesOf(true, { chunkSize: 100_000 }, 5)) {
      expect(events).toBe(read);
      expect(read).toBeLessThan(3000);
    }
  });
});

describe("a page that reads blocks in which nothing fits", () => {
  const readOf = (contents: Contents): number => {
    const { asked, context } = longChain(true, contents);
    expect(pageOf(context, eventFilterWith({ keys: [[99n]] })).events).toEqual([]);
    return asked.read;
  };

  // 5000 looks: one for each block, two for its header, one for a receipt, an eighth for an event.
  test("ends after few, where they have many transactions", () => {
    expect(readOf({ receipts: 0, events: 0 })).toBe(Math.floor(5000 / 3) + 1);
    expect(readOf({ receipts: 97, events: 0 })).toBe(51);
  });

  test("ends after few, where they have many events", () => {
    expect(readOf({ receipts: 1, events: 8 * 96 })).toBe(51);
  });
});

test("looks end where those into the index do, wherever the range begins", () => {
  const { asked, context } = longChain(false);
  const fromBlock = { kind: "number", number: 1000 } as const;
  pageOf(context, eventFilterWith({ fromBlock, keys: [keysOf(64)] }));
  expect(asked.ends.length).toBeGreaterThan(1);
  for (const end of asked.ends) expect((end + 1) % 1024 === 0 || end === BLOCKS - 1).toBe(true);
});
