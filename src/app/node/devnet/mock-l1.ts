import { l2MessageHash, type MessageToL1 } from "#protocol/chain/index.ts";
import type { ChainReader } from "#engine/state/index.ts";

interface Sent {
  readonly blockNumber: number;
  readonly hash: bigint;
  readonly message: MessageToL1;
}

/** Messages to L1 that one `devnet_postmanFlush` takes from {@link MockL1}. */
export interface FlushOfL1 {
  readonly messages: readonly MessageToL1[];
  /** Returns the last `count` messages to the queue, unless the chain was reverted meanwhile. */
  putBack(count: number): void;
}

/**
 * Core contract of an imitated L1. It has every message of the accepted blocks, each consumable as often as
 * it was sent. Consumed and flushed messages are remembered until the node stops.
 */
export class MockL1 {
  readonly #chain: Pick<ChainReader, "latestNumber" | "receipts">;
  /** All messages of the blocks read so far, in order. */
  #sent: Sent[] = [];
  /** Number of times a message was sent and consumed, by hash. */
  readonly #counts = new Map<bigint, { sent: number; consumed: number }>();
  /** Number of messages at the start of {@link #sent} that were flushed. */
  #flushed = 0;
  #nextBlock: number;
  /** Number of reverts of the chain. */
  #reverts = 0;

  /** @param firstBlock - first block whose messages are sent: a fork does not send those of its origin */
  constructor(chain: Pick<ChainReader, "latestNumber" | "receipts">, firstBlock: number) {
    this.#chain = chain;
    this.#nextBlock = firstBlock;
  }

  /** Consumes a message. @returns its hash; `undefined` if none is left */
  consume(message: MessageToL1): bigint | undefined {
    this.#readBlocks();
    const hash = l2MessageHash(message);
    const counts = this.#counts.get(hash);
    if (counts === undefined || counts.consumed >= counts.sent) return undefined;
    counts.consumed++;
    return hash;
  }

  /**
   * Takes the oldest messages that were not flushed.
   *
   * @param most - maximum count; the rest stays for the next flush
   */
  flush(most: number): FlushOfL1 {
    this.#readBlocks();
    const flushed = this.#sent.slice(this.#flushed, this.#flushed + most);
    this.#flushed += flushed.length;
    const reverts = this.#reverts;
    return {
      messages: flushed.map(({ message }) => message),
      putBack: (count) => {
        if (reverts === this.#reverts) this.#flushed -= count;
      },
    };
  }

  /** Removes the messages of reverted blocks, which are those above `blockNumber`. */
  revert(blockNumber: number): void {
    this.#reverts++;
    const removed = this.#sent.filter((sent) => sent.blockNumber > blockNumber);
    this.#sent = this.#sent.slice(0, this.#sent.length - removed.length);
    for (const { hash } of removed) {
      const counts = this.#counts.get(hash);
      if (counts === undefined) continue;
      counts.sent--;
      counts.consumed = Math.min(counts.consumed, counts.sent);
      if (counts.sent === 0) this.#counts.delete(hash);
    }
    this.#flushed = Math.min(this.#flushed, this.#sent.length);
    this.#nextBlock = Math.min(this.#nextBlock, blockNumber + 1);
  }

  #readBlocks(): void {
    const latest = this.#chain.latestNumber() ?? -1;
    for (; this.#nextBlock <= latest; this.#nextBlock++) {
      for (const { messages } of this.#chain.receipts(this.#nextBlock)) {
        for (const message of messages) this.#add(this.#nextBlock, message);
      }
    }
  }

  #add(blockNumber: number, message: MessageToL1): void {
    const hash = l2MessageHash(message);
    const counts = this.#counts.get(hash) ?? { sent: 0, consumed: 0 };
    counts.sent++;
    this.#counts.set(hash, counts);
    this.#sent.push({ blockNumber, hash, message });
  }
}
