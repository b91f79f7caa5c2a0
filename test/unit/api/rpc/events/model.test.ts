import { expect, test } from "bun:test";
import fc from "fast-check";
import type { BlockId } from "#api/rpc/block-id.ts";
import type { Event } from "#protocol/chain/index.ts";
import { testBlockHash } from "#test/helpers/blocks.ts";
import { RpcFault } from "#api/rpc/errors.ts";
import type { EmittedEvent, EventFilter } from "#api/rpc/spec/version.ts";
import { openChainFolder } from "#test/helpers/chain-folder.ts";
import {
  allPages,
  type BlockEvents,
  EventWorld,
  eventFilterWith,
  naiveEvents,
  pageOf,
  placesOf,
} from "#test/helpers/event-world.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** A small set, so that filters match events. */
const felts = fc.constantFrom(0n, 1n, 2n, 3n, (1n << 251n) + 1n);

const events: fc.Arbitrary<Event> = fc.record({
  fromAddress: felts,
  keys: fc.array(felts, { maxLength: 3 }),
  data: fc.array(felts, { maxLength: 2 }),
});

const blocks: fc.Arbitrary<BlockEvents> = fc.array(fc.array(events, { maxLength: 3 }), {
  maxLength: 4,
});

/** A chain change between two pages. */
type ChainChange =
  | { readonly kind: "add"; readonly transactions: BlockEvents }
  | { readonly kind: "open" }
  | { readonly kind: "accept" };

const changes: fc.Arbitrary<ChainChange[]> = fc.array(
  fc.oneof(
    blocks.map((transactions): ChainChange => ({ kind: "add", transactions })),
    fc.constant<ChainChange>({ kind: "open" }),
    fc.constant<ChainChange>({ kind: "accept" }),
  ),
  { maxLength: 4 },
);

const filters = fc.record({
  addresses: fc.array(felts, { maxLength: 2 }),
  keys: fc.array(fc.array(felts, { maxLength: 3 }), { maxLength: 4 }),
});

const ids: fc.Arbitrary<BlockId | undefined> = fc.option(
  fc.oneof(
    fc.record({ kind: fc.constant("number" as const), number: fc.nat({ max: 9 }) }),
    fc.nat({ max: 2 }).map((n): BlockId => ({ kind: "hash", hash: testBlockHash(n) })),
    fc.constant<BlockId>({ kind: "latest" }),
    fc.constant<BlockId>({ kind: "pre_confirmed" }),
  ),
  { nil: undefined },
);

/** Small limits, so that pages end early. */
const limits = fc.record({
  felts: fc.constantFrom(1, 5, 1000),
  budget: fc.constantFrom(1, 10, 1000),
  window: fc.constantFrom(1, 2, 256),
});

function happen(world: EventWorld, change: ChainChange): void {
  switch (change.kind) {
    case "add":
      return world.add(change.transactions);
    case "open":
      return world.blocks.length < world.accepted + 5 ? world.open() : undefined;
    case "accept":
      // The topmost block stays open.
      return world.accepted + 2 < world.blocks.length ? world.accept() : undefined;
  }
}

/** Block number that a block id of a filter resolves to. */
function numberOf(id: BlockId, world: EventWorld, preConfirmed: number): number {
  if (id.kind === "number") return id.number;
  if (id.kind === "hash") return world.context.chain.numberByHash(id.hash) ?? -1;
  return id.kind === "pre_confirmed" ? preConfirmed : world.accepted;
}

const RUNS = 60;

test("pages of any size return every event once, in order, while blocks are built", async () => {
  using chain = await openChainFolder();
  const options = { numRuns: RUNS };
  assertProperty(
    fc.property(
      fc.array(blocks, { minLength: 3, maxLength: 6 }),
      blocks,
      fc.array(changes, { maxLength: 8 }),
      filters,
      ids,
      ids,
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 10 }),
      limits,
      (accepted, building, story, query, fromBlock, toBlock, sizes, pageLimits) => {
        chain.writer.revertTo(-1);
        const world = new EventWorld(chain.reader, chain.writer);
        for (const transactions of accepted) world.block(...transactions);
        world.open();
        world.add(building);
        const first = fromBlock === undefined ? 0 : numberOf(fromBlock, world, world.accepted + 1);
        const filter = eventFilterWith({
          ...query,
          ...(fromBlock === undefined ? {} : { fromBlock }),
          ...(toBlock === undefined ? {} : { toBlock }),
          chunkSize: sizes[0] ?? 1,
        });
        const between = (page: number) => {
          for (const change of story[page - 1] ?? []) happen(world, change);
          return sizes[page % sizes.length];
        };
        const found = allPages(world.context, filter, pageLimits, between);
        const top = world.blocks.length - 1;
        const to = toBlock === undefined ? world.accepted : numberOf(toBlock, world, top);
        const last = toBlock?.kind === "number" ? Math.min(to, world.accepted) : to;
        const range = { first, last, accepted: world.accepted };
        const expected = naiveEvents(world.blocks, query, range);
        expect(placesOf(found)).toEqual(placesOf(expected));
        expect(found.map((each) => each.event)).toEqual(expected.map((each) => each.event));
      },
    ),
    options,
  );
});

/** All events as seen by a client that starts over when a revert invalidates its token. */
function insistently(
  world: EventWorld,
  filter: EventFilter,
  between: (page: number) => void,
): { readonly found: readonly EmittedEvent[]; readonly restarts: number } {
  let found: EmittedEvent[] = [];
  let restarts = 0;
  let continuationToken: string | undefined;
  for (let page = 1; ; page++) {
    const request = continuationToken === undefined ? filter : { ...filter, continuationToken };
    try {
      const { events: more, continuationToken: next } = pageOf(world.context, request, {
        budget: 8,
      });
      found.push(...more);
      if (next === undefined) return { found, restarts };
      continuationToken = next;
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      expect(error.errorName).toBe("INVALID_CONTINUATION_TOKEN");
      restarts++;
      found = [];
      continuationToken = undefined;
    }
    between(page);
  }
}

test("pages miss and repeat no event when blocks are reverted in between", async () => {
  using chain = await openChainFolder();
  let restarts = 0;
  let reverts = 0;
  assertProperty(
    fc.property(
      fc.array(blocks, { minLength: 3, maxLength: 6 }),
      fc.array(
        fc.record({ depth: fc.nat({ max: 3 }), other: fc.array(blocks, { maxLength: 4 }) }),
        { maxLength: 4 },
      ),
      fc.array(blocks, { maxLength: 2 }),
      filters,
      fc.integer({ min: 1, max: 3 }),
      (accepted, forks, above, query, chunkSize) => {
        chain.writer.revertTo(-1);
        const world = new EventWorld(chain.reader, chain.writer);
        for (const transactions of accepted) world.block(...transactions);
        const open = () => {
          for (const transactions of above) {
            world.open();
            world.add(transactions);
          }
        };
        open();
        const filter = eventFilterWith({ ...query, toBlock: { kind: "pre_confirmed" }, chunkSize });
        const result = insistently(world, filter, (page) => {
          const fork = forks[page - 1];
          if (fork === undefined) return;
          world.takeBack(Math.max(0, world.accepted - fork.depth));
          for (const transactions of fork.other) world.block(...transactions);
          open();
          reverts++;
        });
        restarts += result.restarts;
        const range = { first: 0, last: world.blocks.length - 1, accepted: world.accepted };
        const expected = naiveEvents(world.blocks, query, range);
        expect(placesOf(result.found)).toEqual(placesOf(expected));
        expect(result.found.map((each) => each.event)).toEqual(expected.map((each) => each.event));
      },
    ),
    { numRuns: 4 * RUNS, minRuns: RUNS },
  );
  // Not every revert affects blocks that were already read.
  expect(restarts).toBeGreaterThan(10);
  expect(reverts).toBeGreaterThan(restarts);
});

test("each event has its block, transaction and index", async () => {
  using chain = await openChainFolder();
  assertProperty(
    fc.property(
      fc.array(blocks, { minLength: 1, maxLength: 5 }),
      fc.array(blocks, { minLength: 1, maxLength: 3 }),
      filters,
      (accepted, above, query) => {
        chain.writer.revertTo(-1);
        const world = new EventWorld(chain.reader, chain.writer);
        for (const transactions of accepted) world.block(...transactions);
        for (const transactions of above) {
          world.open();
          world.add(transactions);
        }
        const filter = eventFilterWith({ ...query, toBlock: { kind: "pre_confirmed" } });
        const range = { first: 0, last: world.blocks.length - 1, accepted: world.accepted };
        expect(allPages(world.context, filter)).toEqual(naiveEvents(world.blocks, query, range));
      },
    ),
    { numRuns: RUNS },
  );
});
