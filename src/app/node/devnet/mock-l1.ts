import { l2MessageHash, type MessageToL1 } from "#protocol/chain/index.ts";
import type { ChainReader } from "#engine/state/index.ts";

/** Most messages that one flush tells; the rest are told by the next. */
export const MAX_FLUSHED = 10_000;

/**
 * The core contract of an L1 that there is not: it has every message of the accepted blocks, each to
 * be consumed as often as it was sent. What was consumed or flushed is known until the node ends.
 */
export class MockL1 {
  readonly #chain: Pick<ChainReader, "latestNumber" | "receipts">;
  /** How often messages may still be consumed, by their hash. */
  readonly #left = new Map<bigint, number>();
  #unflushed: MessageToL1[] = [];
  #nextBlock = 0;

  constructor(chain: Pick<ChainReader, "latestNumber" | "receipts">) {
    this.#chain = chain;
  }

  /** Consumes a message. @returns its hash; `undefined` when there is none left */
  consume(message: MessageToL1): bigint | undefined {
    this.#readBlocks();
    const hash = l2MessageHash(message);
    const left = this.#left.get(hash) ?? 0;
    if (left === 0) return undefined;
    this.#left.set(hash, left - 1);
    return hash;
  }

  /** The first messages that were not flushed; with `isDry` they stay so. */
  flush(isDry: boolean): readonly MessageToL1[] {
    this.#readBlocks();
    const flushed = this.#unflushed.slice(0, MAX_FLUSHED);
    if (!isDry) this.#unflushed = this.#unflushed.slice(MAX_FLUSHED);
    return flushed;
  }

  #readBlocks(): void {
    const latest = this.#chain.latestNumber() ?? -1;
    for (; this.#nextBlock <= latest; this.#nextBlock++) {
      for (const { messages } of this.#chain.receipts(this.#nextBlock)) {
        for (const message of messages) {
          const hash = l2MessageHash(message);
          this.#left.set(hash, (this.#left.get(hash) ?? 0) + 1);
          this.#unflushed.push(message);
        }
      }
    }
  }
}
