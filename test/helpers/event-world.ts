import { eventsPage } from "#api/rpc/events/page.ts";
import { PAGE_LIMITS, type PageLimits } from "#api/rpc/events/limits.ts";
import { fail } from "#api/rpc/errors.ts";
import type { QueryContext } from "#api/rpc/index.ts";
import type { EmittedEvent, EventFilter } from "#api/rpc/spec/version.ts";
import type { Event, Receipt } from "#protocol/chain/index.ts";
import { type ChainReader, PendingOverlay } from "#engine/state/index.ts";
import type { ChainWriter } from "#io/storage/index.ts";
import { blockCommit, testBlockHash, testDelta } from "./blocks.ts";
import { fakePending, fakeReceipt } from "./fake-chain.ts";
import { INVOKE_V3, sampleContext } from "./sample-chain.ts";

/** Events of one block, listed by transaction. */
export type BlockEvents = readonly (readonly Event[])[];

/** A filter that matches everything, with some members changed. */
export function eventFilterWith(parts: Partial<EventFilter> = {}): EventFilter {
  return { addresses: [], keys: [], chunkSize: 1000, ...parts };
}

/** Transaction hash in a block of {@link EventWorld}. */
export function transactionHashAt(blockNumber: number, index: number): bigint {
  return (1n << 200n) + BigInt(blockNumber * 1000 + index);
}

function receiptsOf(blockNumber: number, block: BlockEvents, from = 0): Receipt[] {
  return block.map((events, i) =>
    fakeReceipt({ transactionHash: transactionHashAt(blockNumber, from + i), events }),
  );
}

/** A stored chain with further blocks above it, whose transactions only emit events. */
export class EventWorld {
  /** Events of all blocks, by number. */
  readonly blocks: BlockEvents[] = [];
  readonly context: QueryContext;
  readonly overlay: PendingOverlay;
  readonly #writer: ChainWriter;
  /** Fork of a block's hash, by number. */
  readonly #forks: number[] = [];
  #fork = 0;
  #accepted = -1;
  #sequence = 0;

  constructor(chain: ChainReader, writer: ChainWriter, parts: Partial<QueryContext> = {}) {
    const overlay = new PendingOverlay(chain);
    this.overlay = overlay;
    this.#writer = writer;
    this.context = {
      ...sampleContext(),
      chain,
      pending: () => overlay.newest() ?? fakePending(chain, {}),
      unaccepted: () => overlay.blocks(),
      ...parts,
    };
  }

  /** Number of the newest accepted block. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Opens a block at the top. */
  open(): void {
    this.blocks.push([]);
    this.#sequence = 0;
    this.#apply([]);
  }

  /** Adds transactions to the topmost block. */
  add(transactions: BlockEvents): void {
    this.#apply(transactions);
  }

  /** Accepts the lowest block that is not accepted. */
  accept(): void {
    const number = ++this.#accepted;
    const receipts = receiptsOf(number, this.blocks[number] ?? []);
    const transactions = receipts.map((receipt) => ({
      hash: receipt.transactionHash,
      transaction: INVOKE_V3,
    }));
    const fork = this.#fork;
    const parentFork = this.#forks[number - 1] ?? 0;
    this.#forks[number] = fork;
    this.#writer.commitBlock(blockCommit(number, { transactions, receipts, fork, parentFork }));
    this.overlay.accepted(number);
  }

  /** Reverts all blocks above an accepted one; new ones have other hashes. */
  takeBack(number: number): void {
    this.#writer.revertTo(number);
    this.#accepted = number;
    this.#fork++;
    this.#forks.length = number + 1;
    this.blocks.length = number + 1;
    this.overlay.reset();
  }

  /** Adds an accepted block of these transactions. */
  block(...transactions: BlockEvents): void {
    this.open();
    this.add(transactions);
    this.accept();
  }

  #apply(transactions: BlockEvents): void {
    const number = this.blocks.length - 1;
    const before = this.blocks[number] ?? [];
    const receipts = receiptsOf(number, transactions, before.length);
    this.blocks[number] = [...before, ...transactions];
    const sequence = this.#sequence++;
    const delta = testDelta(number, {
      sequence,
      receipts,
      transactions: receipts.map((receipt) => ({
        hash: receipt.transactionHash,
        transaction: INVOKE_V3,
        bytes: new Uint8Array(),
      })),
    });
    this.overlay.apply(sequence === 0 ? delta : { ...delta, info: null });
  }
}

/** One page, as returned by `starknet_getEvents`. */
export function pageOf(
  context: QueryContext,
  filter: EventFilter,
  limits: Partial<PageLimits> = {},
): ReturnType<typeof eventsPage> {
  return eventsPage(context, filter, fail, { ...PAGE_LIMITS, ...limits });
}

/** All events, page by page; `between` runs before each page but the first. */
export function allPages(
  context: QueryContext,
  filter: EventFilter,
  limits: Partial<PageLimits> = {},
  between: (pages: number) => number | undefined = () => undefined,
): EmittedEvent[] {
  const events: EmittedEvent[] = [];
  let { chunkSize } = filter;
  let token: string | undefined;
  for (let pages = 0; pages < 10_000; pages++) {
    if (pages > 0) chunkSize = between(pages) ?? chunkSize;
    const asked = {
      ...filter,
      chunkSize,
      ...(token === undefined ? {} : { continuationToken: token }),
    };
    const page = pageOf(context, asked, limits);
    events.push(...page.events);
    if (page.continuationToken === undefined) break;
    token = page.continuationToken;
  }
  return events;
}

/** Whether an event matches, by the text of the specification. */
export function naiveMatch(event: Event, filter: Pick<EventFilter, "addresses" | "keys">): boolean {
  const { addresses, keys } = filter;
  if (addresses.length > 0 && !addresses.includes(event.fromAddress)) return false;
  for (const [i, alternatives] of keys.entries()) {
    if (alternatives.length === 0) continue;
    const key = event.keys[i];
    if (key === undefined || !alternatives.includes(key)) return false;
  }
  return true;
}

/** Expected result of a search through the blocks from `first` to `last`. */
export function naiveEvents(
  blocks: readonly BlockEvents[],
  filter: Pick<EventFilter, "addresses" | "keys">,
  { first, last, accepted }: { first: number; last: number; accepted: number },
): EmittedEvent[] {
  const found: EmittedEvent[] = [];
  for (let blockNumber = Math.max(first, 0); blockNumber <= last; blockNumber++) {
    for (const [transactionIndex, events] of (blocks[blockNumber] ?? []).entries()) {
      for (const [eventIndex, event] of events.entries()) {
        if (!naiveMatch(event, filter)) continue;
        found.push({
          event,
          blockNumber,
          ...(blockNumber <= accepted ? { blockHash: testBlockHash(blockNumber) } : {}),
          transactionHash: transactionHashAt(blockNumber, transactionIndex),
          transactionIndex,
          eventIndex,
        });
      }
    }
  }
  return found;
}

/** Positions of events, for comparisons independent of block status. */
export function placesOf(events: readonly EmittedEvent[]): string[] {
  return events.map((e) => `${e.blockNumber}/${e.transactionIndex}/${e.eventIndex}`);
}
