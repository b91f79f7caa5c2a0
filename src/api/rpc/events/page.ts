import type { RpcContext } from "../context.ts";
import type { Fail } from "../errors.ts";
import type { EventFilter, EventsPage } from "../spec/version.ts";
import { EventBlocks } from "./blocks.ts";
import { DEFAULT_METHOD_LIMITS } from "../limits/method-limits.ts";
import { PAGE_LIMITS, type PageLimits } from "./limits.ts";
import { startOf } from "./position.ts";
import { rangeOf } from "./range.ts";
import { scanEvents } from "./scan.ts";
import { decodeToken, encodeToken } from "./token.ts";

/** The errors of starknet_getEvents. */
export type EventsError =
  | "PAGE_SIZE_TOO_BIG"
  | "INVALID_CONTINUATION_TOKEN"
  | "BLOCK_NOT_FOUND"
  | "TOO_MANY_KEYS_IN_FILTER";

/**
 * A page of the events that a filter asks for, in their order. A page that has a token is not the
 * last one, however few events it has. Events of later pages are those of the blocks at that time:
 * tags are looked up again for every page.
 */
export function eventsPage(
  context: RpcContext,
  filter: EventFilter,
  fail: Fail<EventsError>,
  limits: PageLimits = PAGE_LIMITS,
): EventsPage {
  checkSize(context, filter, fail);
  const { chainId } = context;
  const blocks = new EventBlocks(context);
  const { first, last } = rangeOf(context, blocks, filter, fail);
  const { continuationToken: token } = filter;
  const start = token === undefined ? startOf(first) : decodeToken(chainId, filter, token);
  if (start === undefined) {
    return fail("INVALID_CONTINUATION_TOKEN", "it was not made for this filter on this chain");
  }
  if (token !== undefined && start.blockNumber > last) {
    return fail("INVALID_CONTINUATION_TOKEN", `block ${start.blockNumber} is not there (any more)`);
  }
  const scan = { query: filter, start, last, chunkSize: filter.chunkSize, limits };
  const { events, next } = scanEvents(context, blocks, scan, fail);
  return next === undefined
    ? { events }
    : { events, continuationToken: encodeToken(chainId, filter, next) };
}

function checkSize(
  { limits = DEFAULT_METHOD_LIMITS }: RpcContext,
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
