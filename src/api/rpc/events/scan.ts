import type { EventQuery } from "#engine/state/index.ts";
import type { QueryContext } from "../context.ts";
import type { EmittedEvent } from "../spec/version.ts";
import { checkStopped } from "../stopped.ts";
import type { EventBlock, EventBlocks } from "./blocks.ts";
import {
  BLOCK_COST,
  BLOCKS_OF_LOOK,
  CHOICE_COST,
  EVENT_COST,
  type PageLimits,
  RECEIPT_COST,
} from "./limits.ts";
import { eventMatcher } from "./match.ts";
import { type EventPosition, startOf } from "./position.ts";

/** Parameters of an event search. */
export interface EventScan {
  readonly query: EventQuery;
  readonly start: EventPosition;
  readonly last: number;
  /** Maximum number of events in the page. */
  readonly chunkSize: number;
  readonly limits: PageLimits;
}

/** Events found; `next` if the search is not complete. */
export interface ScannedEvents {
  readonly events: readonly EmittedEvent[];
  readonly next?: EventPosition;
}

/**
 * Reads a page of events in order of block, transaction and event. Stops early, even without an event, when
 * its budget is used up.
 */
export function scanEvents(
  context: QueryContext,
  blocks: EventBlocks,
  { query, start, last, chunkSize, limits }: EventScan,
): ScannedEvents {
  const matches = eventMatcher(query);
  const lookCost = 1 + choicesOf(query) * CHOICE_COST;
  const window = windowOf(limits, lookCost);
  const events: EmittedEvent[] = [];
  let felts = 0;
  let cost = 0;
  let number = start.blockNumber;

  /** Adds the matching events of a block; returns where to continue if the page is full. */
  const read = ({ number: blockNumber, hash, receipts }: EventBlock): EventPosition | undefined => {
    const begin = blockNumber === start.blockNumber ? start : startOf(blockNumber);
    for (let index = begin.transactionIndex; index < receipts.length; index++) {
      const receipt = receipts[index];
      if (receipt === undefined) continue;
      const { transactionHash } = receipt;
      const from = index === begin.transactionIndex ? begin.eventIndex : 0;
      for (const [offset, event] of receipt.events.slice(from).entries()) {
        if (!matches(event)) continue;
        const eventIndex = from + offset;
        const size = event.keys.length + event.data.length;
        const isFull = events.length === chunkSize || felts + size > limits.felts;
        if (isFull && events.length > 0) {
          return { blockNumber, transactionIndex: index, eventIndex };
        }
        felts += size;
        const place = { blockNumber, transactionHash, transactionIndex: index, eventIndex };
        events.push({ event, ...place, ...(hash === undefined ? {} : { blockHash: hash }) });
      }
    }
    return undefined;
  };

  while (number <= last) {
    if (cost > limits.budget) return { events, next: startOf(number) };
    checkStopped(context);
    const until = Math.min(last, number - (number % window) + window - 1);
    const found = blocks.next(query, number, until);
    cost += 1 + (((found ?? until) - number) / BLOCKS_OF_LOOK) * lookCost;
    number = (found ?? until) + 1;
    const block = found === undefined ? undefined : blocks.block(found);
    if (block === undefined) continue;
    cost += readingCost(block);
    const next = read(block);
    if (next !== undefined) return { events, next };
  }
  return { events };
}

function readingCost({ receipts }: EventBlock): number {
  const events = receipts.reduce((sum, receipt) => sum + receipt.events.length, 0);
  return BLOCK_COST + receipts.length * RECEIPT_COST + events * EVENT_COST;
}

/** Number of addresses and keys of a query: the maximum number of comparisons per lookup. */
function choicesOf({ addresses, keys }: EventQuery): number {
  return keys.reduce((sum, alternatives) => sum + alternatives.length, addresses.length);
}

/**
 * Returns the number of blocks per window. If possible, windows end at index entries, so that no lookup is
 * repeated.
 */
function windowOf(limits: PageLimits, lookCost: number): number {
  if (limits.window < BLOCKS_OF_LOOK) return limits.window;
  const looks = Math.floor(limits.window / BLOCKS_OF_LOOK / lookCost);
  return Math.max(1, looks) * BLOCKS_OF_LOOK;
}
