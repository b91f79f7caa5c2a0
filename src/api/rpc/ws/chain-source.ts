import type { BlockHeader } from "#protocol/chain/index.ts";
import type { EventQuery, PendingBlock } from "#engine/state/index.ts";
import type { ChainContext } from "../context.ts";
import { finalityOf } from "../methods/shared.ts";
import { type BlockContent, Executed } from "./executed.ts";
import { StoredContents } from "./stored-content.ts";

/**
 * The blocks that subscriptions read, all at this thread: accepted ones, and those above. The content of
 * blocks that were seen before they were accepted is kept until it has been told, so that nothing is
 * read from the database and decoded a second time.
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

  /** All blocks above the accepted ones, lowest first. */
  unaccepted(): readonly PendingBlock[] {
    const blocks = this.#context.unaccepted();
    for (const block of blocks) this.#seen.set(block.info.number, block);
    return blocks;
  }

  /** Blocks up to this one are told. */
  forget(upTo: number): void {
    for (const number of this.#seen.keys()) if (number <= upTo) this.#seen.delete(number);
  }

  /** Nobody reads older blocks at present. */
  rest(): void {
    this.#stored.clear();
  }

  /** The header of an accepted block. */
  header(blockNumber: number): BlockHeader | undefined {
    return this.#context.chain.header(blockNumber);
  }

  /** How final an accepted block is. */
  finalityOf(blockNumber: number): "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1" {
    return finalityOf(this.#context, blockNumber);
  }

  /** The content of an accepted block; its parts are read when they are asked for. */
  content({ number, transactionCount }: BlockHeader): BlockContent {
    const seen = this.#seen.get(number);
    // What is told of a block before it is accepted may lack its end, which came after the acceptance.
    if (seen !== undefined && seen.receipts.length === transactionCount)
      return pendingContent(seen);
    return this.#stored.of(number);
  }

  /** As {@link ChainReader.nextEventBlock}. */
  nextEventBlock(query: EventQuery, from: number, to: number): number | undefined {
    return this.#context.chain.nextEventBlock(query, from, to);
  }
}

/** The content of a block above the accepted ones, as far as it is known. */
export function pendingContent({ transactions, receipts }: PendingBlock): BlockContent {
  return {
    executed(index, place) {
      const receipt = receipts[index];
      return receipt && new Executed(() => transactions[index], receipt, { ...place, index });
    },
  };
}
