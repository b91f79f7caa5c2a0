import { stringifyJson } from "#base/codec/index.ts";
import { OriginError } from "#base/errors/index.ts";
import type { OriginEventQuery } from "../../query.ts";
import type { OriginTask } from "../../rpc/pending.ts";
import type { OriginCaller } from "../caller.ts";
import type { ForkBlocks, ForkPoint } from "../fork-blocks.ts";
import { isRefusal, RPC_CODES } from "../rpc-codes.ts";
import { type EventPage, type PagedEvent, readPage } from "./event-page.ts";
import { decodePosition, encodePosition, type EventPosition } from "./event-token.ts";

/** Maximum events of a page that is read to find a position again. */
const MAX_CHUNK = 1_000;

/** Where a page begins. */
type PageStart = Pick<EventPosition, "block" | "count">;

/** Access to an origin for one search. */
interface Search {
  readonly caller: OriginCaller;
  readonly fork: ForkPoint;
  readonly query: OriginEventQuery;
  readonly task: OriginTask;
}

/**
 * Reads one page of an event search of the origin. A token goes back to the URL that gave it. If this URL no longer
 * knows it, or does not respond, another one searches from the block of the position on.
 *
 * @returns the result as JSON text, with a token for this function; `null` if it did not make the token
 * @throws {OriginError} ORIGIN_BAD_ANSWER for an event that does not match the filter,
 *   ORIGIN_REFUSED for an error of the origin, and as `OriginCaller.read`
 */
export async function readEvents(
  caller: OriginCaller,
  { fork }: ForkBlocks,
  query: OriginEventQuery,
  task: OriginTask,
): Promise<Uint8Array | null> {
  const search = { caller, fork, query, task };
  if (query.token === null) {
    const page = await readPage(caller, fork, { query, url: undefined }, task);
    return encoded(page, { block: query.fromBlock, count: 0 });
  }
  const position = decodePosition(query.token);
  if (position === undefined) return null;
  if (position.block < query.fromBlock || position.block > query.toBlock) return null;
  const page = (await continued(search, position)) ?? (await foundAgain(search, position));
  return encoded(page, position);
}

/** Reads the page after a position from the URL of its token; `undefined` if this URL does not return it. */
async function continued(
  { caller, fork, query, task }: Search,
  { url, token }: EventPosition,
): Promise<EventPage | undefined> {
  if (!caller.has(url)) return undefined;
  try {
    return await readPage(caller, fork, { query: { ...query, token }, url }, task);
  } catch (error) {
    if (error instanceof OriginError || isRefusal(error, RPC_CODES.unknownToken)) return undefined;
    throw error;
  }
}

/** Searches from the block of a position on, and drops the events before the position. */
async function foundAgain(
  { caller, fork, query, task }: Search,
  { block, count }: EventPosition,
): Promise<EventPage> {
  let left = count;
  const isBefore = (event: PagedEvent): boolean => {
    if (left === 0 || event.block !== block) return false;
    if (event.isSearched) left--;
    return true;
  };
  let url: string | undefined;
  let token: string | null = null;
  for (;;) {
    const chunkSize = Math.min(MAX_CHUNK, left + query.chunkSize);
    const from = { ...query, fromBlock: block, token, chunkSize };
    const page: EventPage = await readPage(caller, fork, { query: from, url }, task);
    const first = page.events.findIndex((event) => !isBefore(event));
    if (first >= 0) return { ...page, events: page.events.slice(first) };
    if (page.token === null) return { ...page, events: [] };
    ({ url, token } = page);
  }
}

function encoded({ url, events, token }: EventPage, start: PageStart): Uint8Array {
  const block = events.at(-1)?.block ?? start.block;
  const own = events.filter((event) => event.block === block && event.isSearched).length;
  const count = own + (block === start.block ? start.count : 0);
  const rows = events.map(({ json }) => json);
  const next =
    token === null ? {} : { continuation_token: encodePosition({ url, token, block, count }) };
  return new TextEncoder().encode(stringifyJson({ events: rows, ...next }));
}
