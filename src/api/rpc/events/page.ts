import type { ChainContext, QueryContext } from "../context.ts";
import type { Fail } from "../errors.ts";
import type { EventFilter, EventsPage } from "../spec/version.ts";
import { bindingOf, isBound } from "./binding.ts";
import { EventBlocks } from "./blocks.ts";
import type { PageLimits } from "./limits.ts";
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
  const { chainId } = context;
  const blocks = new EventBlocks(context);
  const { first, last } = rangeOf(context, blocks, filter, fail);
  const start = startAt(context, blocks, filter, { first, last }, fail);
  const scan = { query: filter, start, last, chunkSize: filter.chunkSize, limits };
  const { events, next } = scanEvents(context, blocks, scan);
  if (next === undefined) return { events };
  const binding = bindingOf(blocks, next);
  return { events, continuationToken: encodeToken(chainId, filter, { position: next, binding }) };
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
