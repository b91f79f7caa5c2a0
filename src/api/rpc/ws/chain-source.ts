import type { BlockHeader } from "#protocol/chain/index.ts";
import type { EventQuery, PendingBlock } from "#engine/state/index.ts";
import type { RpcContext } from "../context.ts";
import { finalityOf } from "../methods/shared.ts";
import type { BlockContent } from "./executed.ts";

/**
 * The blocks that subscriptions read, all at this thread: accepted ones, and those above. The content of
 * blocks that were seen before they were accepted is kept until it has been told, so that nothing is
 * read from the database and decoded a second time.
 */
export class ChainSource {
  readonly #context: RpcContext;
  readonly #seen = new Map<number, PendingBlock>();

  constructor(context: RpcContext) {
    this.#context = context;
  }

  /** Number of the newest accepted block; -1 before block 0. */
  get latest(): number {
    return this.#context.chain.latestNumber() ?? -1;
  }

  /** All blocks above the accepted ones, lowest first. */
  unaccepted(): readonly PendingBlock[] {
    const blocks = this.#context.unaccepted?.() ?? [this.#context.pending() ?? []].flat();
    for (const block of blocks) this.#seen.set(block.info.number, block);
    return blocks;
  }

  /** Blocks up to this one are told. */
  forget(upTo: number): void {
    for (const number of this.#seen.keys()) if (number <= upTo) this.#seen.delete(number);
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
    if (seen !== undefined && seen.receipts.length === transactionCount) return seen;
    return new StoredContent(this.#context, number);
  }

  /** As {@link ChainReader.nextEventBlock}. */
  nextEventBlock(query: EventQuery, from: number, to: number): number | undefined {
    return this.#context.chain.nextEventBlock(query, from, to);
  }
}

class StoredContent implements BlockContent {
  readonly #context: RpcContext;
  readonly #blockNumber: number;
  #transactions: BlockContent["transactions"] | undefined;
  #receipts: BlockContent["receipts"] | undefined;

  constructor(context: RpcContext, blockNumber: number) {
    this.#context = context;
    this.#blockNumber = blockNumber;
  }

  get transactions(): BlockContent["transactions"] {
    this.#transactions ??= this.#context.chain.transactions(this.#blockNumber);
    return this.#transactions;
  }

  get receipts(): BlockContent["receipts"] {
    this.#receipts ??= this.#context.chain.receipts(this.#blockNumber);
    return this.#receipts;
  }
}
