import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Event, Receipt } from "#protocol/chain/index.ts";
import { RpcFault } from "#api/rpc/errors.ts";
import { blockCommit, testBlockHash } from "#test/helpers/blocks.ts";
import { type ChainFolder, openChainFolder } from "#test/helpers/chain-folder.ts";
import {
  allPages,
  EventWorld,
  eventFilterWith,
  pageOf,
  placesOf,
} from "#test/helpers/event-world.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";

let chain: ChainFolder;
let world: EventWorld;

beforeEach(async () => {
  chain = await openChainFolder();
  world = new EventWorld(chain.reader, chain.writer);
});

afterEach(() => chain[Symbol.dispose]());

const event = (fromAddress = 1n, size = 0): Event => ({
  fromAddress,
  keys: [],
  data: Array.from({ length: size }, () => 5n),
});

const all = eventFilterWith({ toBlock: { kind: "pre_confirmed" } });

/** Name and reason of the error that `action` throws; empty if it throws none. */
function errorOf(action: () => unknown): readonly unknown[] {
  try {
    action();
  } catch (error) {
    if (error instanceof RpcFault) return [error.errorName, error.data];
    throw error;
  }
  return [];
}

/** Token of a page that must have one. */
function tokenOf(filter = all, context = world.context): string {
  const { continuationToken } = pageOf(context, filter);
  expect(continuationToken).toBeDefined();
  return continuationToken ?? "";
}

describe("page of events", () => {
  test("has no token when it contains the last event", () => {
    world.block([event(), event()], [event()]);
    expect(pageOf(world.context, { ...all, chunkSize: 3 }).continuationToken).toBeUndefined();
    expect(pageOf(world.context, { ...all, chunkSize: 2 }).continuationToken).toBeDefined();
  });

  test("ends before an event that exceeds its size, but holds at least one event", () => {
    world.block([event(1n, 4), event(1n, 4), event(1n, 30), event(1n, 4)]);
    const sizes: number[] = [];
    let continuationToken: string | undefined;
    do {
      const request = continuationToken === undefined ? all : { ...all, continuationToken };
      const page = pageOf(world.context, request, { felts: 8 });
      sizes.push(page.events.length);
      continuationToken = page.continuationToken;
    } while (continuationToken !== undefined);
    expect(sizes).toEqual([2, 1, 1]);
  });

  test("ends without an event when its block budget is spent", () => {
    for (let i = 0; i < 9; i++) world.block([event(BigInt(i))]);
    const filter = { ...all, addresses: [8n] };
    const limits = { budget: 3, window: 1 };
    const { events, continuationToken = "" } = pageOf(world.context, filter, limits);
    expect(events).toEqual([]);
    expect(continuationToken).not.toBe("");
    expect(placesOf(allPages(world.context, filter, limits))).toEqual(["8/0/0"]);
  });

  test("ends earlier for filters that are expensive to match", () => {
    for (let i = 0; i < 10; i++) world.block([]);
    const pagesOf = (count: number): number => {
      let pages = 1;
      const addresses = Array.from({ length: count }, (_, i) => BigInt(i));
      allPages(world.context, { ...all, addresses }, { budget: 4, window: 5 }, (page) => {
        pages = page + 1;
        return undefined;
      });
      return pages;
    };
    // Two windows of five blocks. With a large filter a block costs more than one budget unit.
    expect([pagesOf(1), pagesOf(2 ** 13)]).toEqual([1, 2]);
  });

  test("finishes one block even beyond the budget", () => {
    for (let i = 0; i < 4; i++) world.block([event(), event()]);
    expect(placesOf(allPages(world.context, all, { budget: 0 }))).toHaveLength(8);
    const [page] = [pageOf(world.context, all, { budget: 1 })];
    expect(placesOf(page.events)).toEqual(["0/0/0", "0/0/1"]);
  });

  test("checks for cancellation between blocks", () => {
    for (let i = 0; i < 3; i++) world.block([event()]);
    let questions = 0;
    const isStopped = () => ++questions > 2;
    expect(() => pageOf({ ...world.context, isStopped }, all)).toThrow("took too long");
    expect(questions).toBe(3);
  });

  test("checks for cancellation between windows without matches", () => {
    for (let i = 0; i < 6; i++) world.block([event()]);
    let questions = 0;
    const isStopped = () => ++questions > 100;
    const nothing = { ...all, addresses: [99n] };
    pageOf({ ...world.context, isStopped }, nothing, { window: 2 });
    expect(questions).toBe(3);
  });
});

describe("continuation token", () => {
  test("continues in a block accepted since", () => {
    world.block([event()]);
    world.open();
    world.add([[event(), event()]]);
    const filter = { ...all, chunkSize: 2 };
    const first = pageOf(world.context, filter);
    expect(first.events.map((each) => each.blockHash)).toEqual([testBlockHash(0), undefined]);
    world.add([[event()]]);
    world.open();
    world.accept();
    const continuationToken = first.continuationToken ?? "";
    const second = pageOf(world.context, { ...filter, continuationToken });
    expect(placesOf(second.events)).toEqual(["1/0/1", "1/1/0"]);
    expect(second.events.map((each) => each.blockHash)).toEqual([
      testBlockHash(1),
      testBlockHash(1),
    ]);
    expect(second.continuationToken).toBeUndefined();
  });

  test("continues at its position although `from_block` now means a later block", () => {
    world.block([event(), event(), event()]);
    const filter = { ...all, fromBlock: { kind: "latest" }, chunkSize: 1 } as const;
    const continuationToken = tokenOf(filter);
    world.block([event()]);
    const rest = pageOf(world.context, { ...filter, chunkSize: 9, continuationToken });
    expect(placesOf(rest.events)).toEqual(["0/0/1", "0/0/2", "1/0/0"]);
  });

  test("of another filter is INVALID_CONTINUATION_TOKEN", () => {
    world.block([event(), event()]);
    const continuationToken = tokenOf({ ...all, chunkSize: 1 });
    const other = { ...all, addresses: [1n], continuationToken };
    expect(errorOf(() => pageOf(world.context, other))).toEqual([
      "INVALID_CONTINUATION_TOKEN",
      "it was not made for this filter on this chain",
    ]);
  });

  test("of a replaced transaction is INVALID_CONTINUATION_TOKEN", () => {
    world.block([event()]);
    world.open();
    world.add([[event(), event()]]);
    const continuationToken = tokenOf({ ...all, chunkSize: 2 });
    const again = (parts: Partial<Receipt>) => ({
      ...world.context,
      unaccepted: () =>
        world.overlay.blocks().map((layer) => ({
          ...layer,
          receipts: layer.receipts.map((receipt) => ({ ...receipt, ...parts })),
        })),
    });
    const request = { ...all, continuationToken };
    expect(pageOf(again({}), request).events).toHaveLength(1);
    const revertedError = [
      "INVALID_CONTINUATION_TOKEN",
      "blocks before its position were reverted",
    ];
    expect(errorOf(() => pageOf(again({ transactionHash: 1n }), request))).toEqual(revertedError);
    expect(errorOf(() => pageOf(again({ events: [event()] }), request))).toEqual(revertedError);
    const without = { ...world.context, unaccepted: () => [] };
    expect(errorOf(() => pageOf(without, request))).toEqual([
      "INVALID_CONTINUATION_TOKEN",
      "block 1 does not exist (it may have been reverted)",
    ]);
  });
});

describe("continuation token after a revert", () => {
  const many = { ...all, chunkSize: 1 };
  const last = { kind: "number", number: 9 } as const;

  /** Token after the first event of block 2, the newest of three blocks. */
  function tokenInBlock2(filter: typeof all): string {
    for (let i = 0; i < 3; i++) world.block([event(), event()]);
    const request = { ...filter, fromBlock: { kind: "number", number: 2 } } as const;
    return pageOf(world.context, request).continuationToken ?? "";
  }

  for (const [what, toBlock] of [
    ["to the newest block", { kind: "latest" }],
    ["to a block by number", last],
    ["to the blocks above the accepted ones", { kind: "pre_confirmed" }],
  ] as const) {
    test(`is INVALID_CONTINUATION_TOKEN when its block is gone, with a filter ${what}`, () => {
      const filter = { ...many, toBlock };
      const continuationToken = tokenInBlock2(filter);
      chain.writer.revertTo(0);
      const fromBlock = { kind: "number", number: 2 } as const;
      const context = { ...world.context, unaccepted: () => [] };
      expect(errorOf(() => pageOf(context, { ...filter, fromBlock, continuationToken }))).toEqual([
        "INVALID_CONTINUATION_TOKEN",
        "block 2 does not exist (it may have been reverted)",
      ]);
    });
  }

  test("is INVALID_CONTINUATION_TOKEN when another transaction took its position", () => {
    const filter = { ...many, toBlock: last };
    const continuationToken = tokenInBlock2(filter);
    chain.writer.revertTo(1);
    const transactionHash = 77n;
    chain.writer.commitBlock(
      blockCommit(2, {
        fork: 1,
        parentFork: 0,
        transactions: [{ hash: transactionHash, transaction: INVOKE_V3 }],
        receipts: [fakeReceipt({ transactionHash, events: [event(), event()] })],
      }),
    );
    const fromBlock = { kind: "number", number: 2 } as const;
    expect(
      errorOf(() => pageOf(world.context, { ...filter, fromBlock, continuationToken })),
    ).toEqual(["INVALID_CONTINUATION_TOKEN", "blocks before its position were reverted"]);
  });
});

describe("block range of a filter", () => {
  beforeEach(() => {
    world.block([event()]);
    world.block([event()]);
    for (let i = 0; i < 2; i++) {
      world.open();
      world.add([[event()]]);
    }
  });

  const found = (parts: Partial<typeof all>) =>
    placesOf(pageOf(world.context, { ...all, ...parts }).events);

  test("defaults to all accepted blocks", () => {
    expect(placesOf(pageOf(world.context, eventFilterWith()).events)).toEqual(["0/0/0", "1/0/0"]);
  });

  test("from `pre_confirmed` includes the unaccepted blocks", () => {
    expect(found({ fromBlock: { kind: "pre_confirmed" } })).toEqual(["2/0/0", "3/0/0"]);
  });

  test("accepts block hashes", () => {
    const id = { kind: "hash", hash: testBlockHash(1) } as const;
    expect(found({ fromBlock: id, toBlock: id })).toEqual(["1/0/0"]);
  });

  test("limits `to_block` numbers to accepted blocks", () => {
    expect(found({ toBlock: { kind: "number", number: 3 } })).toEqual(["0/0/0", "1/0/0"]);
    expect(found({ fromBlock: { kind: "number", number: 3 } })).toEqual(["3/0/0"]);
  });

  test("is empty when `from_block` is after `to_block`", () => {
    const one = { kind: "number", number: 1 } as const;
    expect(found({ fromBlock: one, toBlock: { kind: "number", number: 0 } })).toEqual([]);
    expect(found({ fromBlock: { kind: "number", number: 99 } })).toEqual([]);
    expect(found({ fromBlock: { kind: "pre_confirmed" }, toBlock: { kind: "latest" } })).toEqual(
      [],
    );
  });

  test("`l1_accepted` ends at the newest block accepted on L1", () => {
    const id = { kind: "l1_accepted" } as const;
    expect(errorOf(() => found({ toBlock: id }))[0]).toBe("BLOCK_NOT_FOUND");
    chain.writer.setL1Accepted(0);
    expect(found({ toBlock: id })).toEqual(["0/0/0"]);
  });
});

test("an empty chain has no events", () => {
  const context = { ...world.context, pending: () => undefined };
  expect(pageOf(context, eventFilterWith())).toEqual({ events: [] });
  for (const kind of ["latest", "pre_confirmed"] as const) {
    const request = eventFilterWith({ fromBlock: { kind } });
    expect(errorOf(() => pageOf(context, request))[0]).toBe("BLOCK_NOT_FOUND");
  }
});
