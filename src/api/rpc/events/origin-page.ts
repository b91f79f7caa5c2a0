import { array, felt, integer, nullable, object, parseJson, text } from "#base/codec/index.ts";
import { OriginError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ForkOrigin } from "../context.ts";
import type { EmittedEvent, EventFilter } from "../spec/version.ts";
import { eventMatcher } from "./match.ts";
import { MAX_ORIGIN_TOKEN, type OriginPosition } from "./origin-token.ts";

/** Maximum events that one page requests: public endpoints allow about a thousand. */
const MAX_CHUNK = 1_000;

const emitted = object(
  {
    from_address: felt,
    keys: array(felt),
    data: array(felt),
    block_hash: felt,
    block_number: integer(),
    transaction_hash: felt,
  },
  { transaction_index: integer(), event_index: integer() },
);

const pageForm = object({ events: array(emitted) }, { continuation_token: nullable(text) });

/** Event of a fork's origin; an origin before JSON-RPC 0.10 does not report the two positions. */
export type OriginEvent = Omit<EmittedEvent, "transactionIndex" | "eventIndex"> & {
  readonly blockHash: Felt;
  readonly transactionIndex?: number;
  readonly eventIndex?: number;
};

/** Page of a fork's origin. */
export interface OriginPage {
  /** Events that match the filter. */
  readonly events: readonly OriginEvent[];
  /** Position after the page; `undefined` after the last one. */
  readonly next: OriginPosition | undefined;
}

/**
 * Reads a page of the origin's events. An origin that cannot search for several addresses returns the events
 * of all: those of others are dropped here, so that the order stays.
 *
 * @returns `undefined` if the origin does not know the position's token
 * @throws {OriginError} when the origin does not return the page, or not in order
 */
export function readOriginPage(
  fork: Pick<ForkOrigin, "ask">,
  filter: EventFilter,
  position: OriginPosition,
): OriginPage | undefined {
  const { fromBlock, toBlock, token } = position;
  const { addresses, keys } = filter;
  const chunkSize = Math.min(filter.chunkSize, MAX_CHUNK);
  const query = { fromBlock, toBlock, addresses, keys, token, chunkSize };
  const bytes = fork.ask({ kind: "events", ...query });
  if (bytes === null) return undefined;
  const page = pageForm.decode(parseJson(new TextDecoder().decode(bytes)), "");
  const matches = eventMatcher(filter);
  const events = page.events.map(eventOf).filter(({ event }) => matches(event));
  requireOrder(events, position);
  const next = page.continuation_token ?? null;
  if (next === null) return { events, next: undefined };
  if (next === "" || next.length > MAX_ORIGIN_TOKEN) {
    throw wrong(`its continuation token has ${next.length} characters`);
  }
  return { events, next: { ...position, token: next, ...lastOf(events, position) } };
}

function eventOf(row: ReturnType<typeof emitted.decode>): OriginEvent {
  const { transaction_index: transactionIndex, event_index: eventIndex } = row;
  return {
    event: { fromAddress: row.from_address, keys: row.keys, data: row.data },
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    transactionHash: row.transaction_hash,
    ...(transactionIndex === undefined ? {} : { transactionIndex }),
    ...(eventIndex === undefined ? {} : { eventIndex }),
  };
}

/** Returns the last transaction of a page, and the number of its events so far. */
function lastOf(
  events: readonly OriginEvent[],
  { lastTransaction, lastCount }: OriginPosition,
): Pick<OriginPosition, "lastTransaction" | "lastCount"> {
  const last = events.at(-1)?.transactionHash;
  if (last === undefined) return { lastTransaction, lastCount };
  const count = events.filter(({ transactionHash }) => transactionHash === last).length;
  const before = last === lastTransaction ? lastCount : 0;
  return { lastTransaction: last, lastCount: before + count };
}

function requireOrder(
  events: readonly OriginEvent[],
  { fromBlock, toBlock }: OriginPosition,
): void {
  let previous = fromBlock;
  for (const { blockNumber } of events) {
    if (blockNumber < previous || blockNumber > toBlock) {
      throw wrong(`an event of block ${blockNumber} follows one of block ${previous}`);
    }
    previous = blockNumber;
  }
}

function wrong(reason: string): OriginError {
  const message = `the fork's origin returned wrong events: ${reason}`;
  return new OriginError("ORIGIN_BAD_ANSWER", message, false);
}
