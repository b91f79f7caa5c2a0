import type { ChainContext, ForkOrigin, QueryContext } from "../context.ts";
import type { Fail } from "../errors.ts";
import type { EventFilter, EventsPage } from "../spec/version.ts";
import { bindingOf, isBound } from "./binding.ts";
import { EventBlocks } from "./blocks.ts";
import type { PageLimits } from "./limits.ts";
import { withIndexes } from "./origin-indexes.ts";
import { readOriginPage } from "./origin-page.ts";
import { decodeOriginToken, encodeOriginToken, type OriginPosition } from "./origin-token.ts";
import { type EventPosition, startOf } from "./position.ts";
import { type BlockRange, rangeOf } from "./range.ts";
import { scanEvents } from "./scan.ts";
import { decodeToken, encodeToken } from "./token.ts";

/** Errors of starknet_getEvents. */
export type EventsError =
  | "PAGE_SIZE_TOO_BIG"
  | "INVALID_CONTINUATION_TOKEN"
  | "BLOCK_NOT_FOUND"
  | "TOO_MANY_KEYS_IN_FILTER";

/**
 * Returns a page of the events that match a filter, in order, from one snapshot of the chain. A page with a
 * token is not the last one, even if it has few events. Each page reads the current chain: tags are resolved
 * again for every page. If blocks before the token's position were reverted, the next page fails with
 * INVALID_CONTINUATION_TOKEN: their replacements have not been searched.
 */
export function eventsPage(
  context: QueryContext,
  filter: EventFilter,
  fail: Fail<EventsError>,
  limits: PageLimits,
): EventsPage {
  checkSize(context, filter, fail);
  return context.chain.snapshot(() => pageNow(context, filter, fail, limits));
}

function pageNow(
  context: QueryContext,
  filter: EventFilter,
  fail: Fail<EventsError>,
  limits: PageLimits,
): EventsPage {
  const blocks = new EventBlocks(context);
  const { first, last } = rangeOf(context, blocks, filter, fail);
  const below = originStart(context, filter, { first, last });
  if (below !== undefined)
    return forkedPage({ context, blocks, filter, last, limits }, below, fail);
  const start = startAt(context, blocks, filter, { first, last }, fail);
  const { chunkSize } = filter;
  const { events, next } = scanEvents(context, blocks, {
    query: filter,
    start,
    last,
    chunkSize,
    limits,
  });
  return { events, ...tokenAt(context, blocks, filter, next) };
}

/** Search of a page that starts in the blocks of a fork's origin. */
interface ForkedSearch {
  readonly context: QueryContext;
  readonly blocks: EventBlocks;
  readonly filter: EventFilter;
  readonly last: number;
  readonly limits: PageLimits;
}

/** Reads a page of a fork's origin; after its last event, the page continues in the chain's stored blocks. */
function forkedPage(
  { context, blocks, filter, last, limits }: ForkedSearch,
  { fork, position }: OriginStart,
  fail: Fail<"INVALID_CONTINUATION_TOKEN">,
): EventsPage {
  const page = readOriginPage(fork, filter, position);
  if (page === undefined) {
    return fail("INVALID_CONTINUATION_TOKEN", "the origin of the fork does not know it");
  }
  const events = withIndexes(page.events, { context, fork, filter, position });
  const { chainId } = context;
  if (page.next !== undefined) {
    return { events, continuationToken: encodeOriginToken(chainId, filter, page.next) };
  }
  const start = startOf(fork.forkBlock + 1);
  if (last < start.blockNumber) return { events };
  const chunkSize = filter.chunkSize - events.length;
  if (chunkSize <= 0) return { events, ...tokenAt(context, blocks, filter, start) };
  const scan = { query: filter, start, last, chunkSize, limits };
  const above = scanEvents(context, blocks, scan);
  return {
    events: [...events, ...above.events],
    ...tokenAt(context, blocks, filter, above.next),
  };
}

/** Returns the token of a page's end; nothing after the last page. */
function tokenAt(
  { chainId }: ChainContext,
  blocks: EventBlocks,
  filter: EventFilter,
  position: EventPosition | undefined,
): Pick<EventsPage, "continuationToken"> {
  if (position === undefined) return {};
  const binding = bindingOf(blocks, position);
  return { continuationToken: encodeToken(chainId, filter, { position, binding }) };
}

/** Position of a page in the blocks of a fork's origin. */
interface OriginStart {
  readonly fork: ForkOrigin;
  readonly position: OriginPosition;
}

/** Returns where a page starts in the blocks of a fork's origin; `undefined` if it starts in stored blocks. */
function originStart(
  { fork, chainId }: ChainContext,
  filter: EventFilter,
  { first, last }: BlockRange,
): OriginStart | undefined {
  if (fork === null) return undefined;
  const { continuationToken } = filter;
  if (continuationToken !== undefined) {
    const position = decodeOriginToken(chainId, filter, continuationToken);
    return position && { fork, position };
  }
  const toBlock = Math.min(last, fork.forkBlock);
  if (first > toBlock) return undefined;
  const position = { token: null, fromBlock: first, toBlock, lastTransaction: 0n, lastCount: 0 };
  return { fork, position };
}

function startAt(
  { chainId }: ChainContext,
  blocks: EventBlocks,
  filter: EventFilter,
  { first, last }: BlockRange,
  fail: Fail<"INVALID_CONTINUATION_TOKEN">,
): EventPosition {
  const { continuationToken } = filter;
  if (continuationToken === undefined) return startOf(first);
  const token = decodeToken(chainId, filter, continuationToken);
  if (token === undefined) {
    return fail("INVALID_CONTINUATION_TOKEN", "it was not made for this filter on this chain");
  }
  const { position, binding } = token;
  if (position.blockNumber > last) {
    const reason = `block ${position.blockNumber} does not exist (it may have been reverted)`;
    return fail("INVALID_CONTINUATION_TOKEN", reason);
  }
  if (!isBound(blocks, position, binding)) {
    return fail("INVALID_CONTINUATION_TOKEN", "blocks before its position were reverted");
  }
  return position;
}

function checkSize(
  { limits }: ChainContext,
  { chunkSize, keys }: EventFilter,
  fail: Fail<EventsError>,
): void {
  const { maxEventsChunk, maxEventKeys } = limits;
  if (chunkSize > maxEventsChunk) {
    fail("PAGE_SIZE_TOO_BIG", `filter.chunk_size: at most ${maxEventsChunk}, not ${chunkSize}`);
  }
  const count = keys.reduce((sum, alternatives) => sum + alternatives.length, keys.length);
  if (count > maxEventKeys) {
    fail(
      "TOO_MANY_KEYS_IN_FILTER",
      `filter.keys: at most ${maxEventKeys} positions and alternatives, not ${count}`,
    );
  }
}
