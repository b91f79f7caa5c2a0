import { OriginError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { Receipt } from "#protocol/chain/index.ts";
import type { ChainContext, ForkOrigin } from "../context.ts";
import type { EmittedEvent, EventFilter } from "../spec/version.ts";
import { eventMatcher } from "./match.ts";
import type { OriginEvent } from "./origin-page.ts";
import type { OriginPosition } from "./origin-token.ts";

/** Positions of an event. */
type Indexes = Pick<EmittedEvent, "transactionIndex" | "eventIndex">;

/** Filter and start of a page of a fork origin's events, to which missing positions are added. */
export interface PageSearch {
  readonly context: Pick<ChainContext, "chain">;
  readonly fork: Pick<ForkOrigin, "require">;
  readonly filter: EventFilter;
  /** Position before the page. */
  readonly position: OriginPosition;
}

/**
 * Adds `transactionIndex` and `eventIndex` to the events of a page that lack them. The first access to one of
 * them reads the origin's blocks, because only newer versions of the specification use them. It throws
 * `OriginMissing` until the blocks are fetched, and `OriginError` when a block lacks the event.
 */
export function withIndexes(events: readonly OriginEvent[], search: PageSearch): EmittedEvent[] {
  let found: readonly Indexes[] | undefined;
  const indexesAt = (index: number): Indexes => {
    found ??= indexesOf(events, search);
    return found[index] ?? unknown(events[index]);
  };
  return events.map((event, index) => {
    const { transactionIndex, eventIndex } = event;
    if (transactionIndex !== undefined && eventIndex !== undefined) {
      return { ...event, transactionIndex, eventIndex };
    }
    return {
      ...event,
      get transactionIndex() {
        return indexesAt(index).transactionIndex;
      },
      get eventIndex() {
        return indexesAt(index).eventIndex;
      },
    };
  });
}

function indexesOf(
  events: readonly OriginEvent[],
  { context: { chain }, fork, filter, position }: PageSearch,
): readonly Indexes[] {
  const blocks = [...new Set(events.map(({ blockNumber }) => blockNumber))];
  fork.require(blocks.map((block) => ({ kind: "block", block })));
  const receipts = new Map<number, readonly Receipt[]>();
  const matches = eventMatcher(filter);
  let count = position.lastCount;
  let current = position.lastTransaction;
  return events.map((event) => {
    const { blockNumber, transactionHash } = event;
    if (transactionHash !== current) [current, count] = [transactionHash, 0];
    const block = receipts.get(blockNumber) ?? chain.receipts(blockNumber);
    receipts.set(blockNumber, block);
    const transactionIndex = block.findIndex((each) => each.transactionHash === transactionHash);
    const matching = block[transactionIndex]?.events.flatMap((each, index) =>
      matches(each) ? [index] : [],
    );
    const eventIndex = matching?.[count++];
    return eventIndex === undefined ? unknown(event) : { transactionIndex, eventIndex };
  });
}

function unknown(event: OriginEvent | undefined): never {
  const { transactionHash = 0n, blockNumber = 0 } = event ?? {};
  const place = `transaction ${hexFromFelt(transactionHash)} of block ${blockNumber}`;
  const message = `the fork's origin returned an event that ${place} does not have`;
  throw new OriginError("ORIGIN_BAD_ANSWER", message, false);
}
