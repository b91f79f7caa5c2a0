import { decodePendingDelta, PendingOverlay, type ChainReader } from "#state/index.ts";
import type { AcceptedMessage, DeltaMessage } from "./workers/protocol.ts";

/**
 * The pending state of one thread, decoded only when somebody asks: under load most deltas are
 * overtaken by their block's acceptance before a reader of this thread wants them.
 */
export class PendingFeed {
  readonly #overlay: PendingOverlay;
  #waiting: DeltaMessage[] = [];

  /** @param chain - reader whose newest block is the base at the start */
  constructor(chain: ChainReader) {
    this.#overlay = new PendingOverlay(chain);
  }

  /** Takes in a delta. Those of accepted blocks are late: the two kinds come on different ports. */
  delta(message: DeltaMessage): void {
    if (message.blockNumber <= this.#overlay.acceptedNumber) return;
    this.#waiting.push(message);
  }

  /** A block is accepted: what is known of it is read from the database from now on. */
  accepted(message: Pick<AcceptedMessage, "blockNumber">): void {
    const { blockNumber } = message;
    // Deltas below are not needed any more; those of blocks above stay in order.
    this.#waiting = this.#waiting.filter((delta) => delta.blockNumber > blockNumber);
    this.#overlay.accepted(blockNumber);
  }

  /** The overlay with everything that has arrived. */
  current(): PendingOverlay {
    if (this.#waiting.length > 0) {
      for (const { bytes } of this.#waiting) this.#overlay.apply(decodePendingDelta(bytes));
      this.#waiting = [];
    }
    return this.#overlay;
  }
}
