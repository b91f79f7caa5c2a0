import type { BlockHeader } from "#protocol/chain/index.ts";
import type { EventQuery, PendingBlock } from "#engine/state/index.ts";
import type { ChainContext } from "../context.ts";
import { finalityOf } from "../methods/shared.ts";
import { type BlockContent, Executed } from "./executed.ts";
import { StoredContents } from "./stored-content.ts";

/**
 * Source of the blocks that subscriptions read, on this thread: accepted ones, and those above. The content
 * of blocks seen before their acceptance is kept until it is reported, so that it is not read from the
 * database and decoded again.
 */
export class ChainSource {
  readonly #context: ChainContext;
  readonly #seen = new Map<number, PendingBlock>();
  readonly #stored: StoredContents;

  constructor(context: ChainContext) {
    this.#context = context;
    this.#stored = new StoredContents(context);
  }

  /** Number of the newest accepted block; -1 before block 0. */
  get latest(): number {
    return this.#context.chain.latestNumber() ?? -1;
  }

  /** Returns all blocks above the accepted ones, lowest first. */
  unaccepted(): readonly PendingBlock[] {
    const blocks = this.#context.unaccepted();
    for (const block of blocks) this.#seen.set(block.info.number, block);
    return blocks;
  }

  /** Evicts blocks up to this one: they have been reported. */
  forget(upTo: number): void {
    for (const number of this.#seen.keys()) if (number <= upTo) this.#seen.delete(number);
  }

  /** Evicts older blocks that no subscription reads at present. */
  rest(): void {
    this.#stored.clear();
  }

  header(blockNumber: number): BlockHeader | undefined {
    return this.#context.chain.header(blockNumber);
  }

  finalityOf(blockNumber: number): "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1" {
    return finalityOf(this.#context, blockNumber);
  }

  /** Returns the content of an accepted block; its parts are read on demand. */
  content({ number, transactionCount }: BlockHeader): BlockContent {
    const seen = this.#seen.get(number);
    // The last view before acceptance may lack transactions that were added after it.
    if (seen !== undefined && seen.receipts.length === transactionCount)
      return pendingContent(seen);
    return this.#stored.of(number);
  }

  /** See {@link ChainReader.nextEventBlock}. */
  nextEventBlock(query: EventQuery, from: number, to: number): number | undefined {
    return this.#context.chain.nextEventBlock(query, from, to);
  }
}

/** Returns the known content of a block above the accepted ones. */
export function pendingContent({ transactions, receipts }: PendingBlock): BlockContent {
  return {
    executed(index, place) {
      const receipt = receipts[index];
      return receipt && new Executed(() => transactions[index], receipt, { ...place, index });
    },
  };
}
