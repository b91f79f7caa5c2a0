import { l2MessageHash, type MessageToL1 } from "#protocol/chain/index.ts";
import type { ChainReader } from "#engine/state/index.ts";

interface Sent {
  readonly blockNumber: number;
  readonly hash: bigint;
  readonly message: MessageToL1;
}

/** Messages that a flush has taken. */
export interface FlushOfL1 {
  readonly messages: readonly MessageToL1[];
  /** The last so many are flushed again, as long as the chain was not reverted meanwhile. */
  putBack(count: number): void;
}

/**
 * The core contract of an L1 that there is not: it has every message of the accepted blocks, each to
 * be consumed as often as it was sent. What was consumed or flushed is known until the node ends.
 */
export class MockL1 {
  readonly #chain: Pick<ChainReader, "latestNumber" | "receipts">;
  /** All messages of the blocks that were read, in their order. */
  #sent: Sent[] = [];
  /** How often messages were sent and consumed, by their hash. */
  readonly #counts = new Map<bigint, { sent: number; consumed: number }>();
  /** How many of {@link #sent} were flushed. */
  #flushed = 0;
  #nextBlock = 0;
  /** How often the chain was reverted. */
  #reverts = 0;

  constructor(chain: Pick<ChainReader, "latestNumber" | "receipts">) {
    this.#chain = chain;
  }

  /** Consumes a message. @returns its hash; `undefined` when there is none left */
  consume(message: MessageToL1): bigint | undefined {
    this.#readBlocks();
    const hash = l2MessageHash(message);
    const counts = this.#counts.get(hash);
    if (counts === undefined || counts.consumed >= counts.sent) return undefined;
    counts.consumed++;
    return hash;
  }

  /**
   * Takes the first messages that were not flushed.
   *
   * @param most - of them; the rest is for the next flush
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

  /** The chain was reverted to a block: what those above it sent was never sent. */
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
