import type { Timer } from "#base/primitives/index.ts";
import {
  type ChainReader,
  decodeLazyDelta,
  PendingOverlay,
  type ReadPosition,
} from "#engine/state/index.ts";
import type { DeltaMessage } from "./messages.ts";
import { PositionGate, type PositionView } from "./position-gate.ts";

/**
 * Pending state of one thread. Deltas are decoded only when read, and transactions and receipts only when
 * those are read: under load most deltas are superseded by their block's acceptance before anything on this
 * thread reads them. Where the accepted state is read, superseded deltas are opened as well, because their
 * changes keep its cache current. Also tracks the thread's position in the chain.
 */
export class PendingFeed implements PositionView {
  readonly #overlay: PendingOverlay;
  readonly #gate: PositionGate;
  #waiting: DeltaMessage[] = [];

  /** @param chain - reader whose newest block is the initial base */
  constructor(chain: ChainReader, timer: Timer) {
    this.#overlay = new PendingOverlay(chain);
    this.#gate = new PositionGate(this.#overlay.acceptedNumber, timer);
  }

  get position(): ReadPosition {
    return this.#gate.position;
  }

  /** See {@link PositionGate.reach}. */
  reach(wanted: ReadPosition): Promise<boolean> | undefined {
    return this.#gate.reach(wanted);
  }

  /** Applies a delta. Deltas of accepted blocks are dropped: the two kinds of message use different ports. */
  delta(message: DeltaMessage): void {
    if (message.blockNumber <= this.#overlay.acceptedNumber) return;
    this.#waiting.push(message);
    this.#gate.delta(message.blockNumber, message.sequence);
  }

  /**
   * Accepts a block: it is read from the database from now on. Wakes those who wait for it, so the database
   * must already contain it.
   */
  accepted(message: { readonly blockNumber: number }): void {
    const { blockNumber } = message;
    // Deltas of later blocks stay, in order.
    const above = this.#waiting.findIndex((delta) => delta.blockNumber > blockNumber);
    const overtaken = this.#waiting.splice(0, above === -1 ? this.#waiting.length : above);
    if (this.#overlay.isRead) this.#open(overtaken);
    this.#overlay.accepted(blockNumber);
    this.#gate.accepted(blockNumber);
  }

  /** Drops everything above the accepted blocks; deltas of the next block start over. */
  lost(): void {
    this.#waiting = [];
    this.#overlay.reset();
    this.#gate.lost();
  }

  /** Resets to the reader's newest block after a revert; nothing is above it. */
  reset(): void {
    this.#waiting = [];
    this.#overlay.reset();
    this.#gate.reset(this.#overlay.acceptedNumber);
  }

  /** The overlay with all received deltas applied. */
  current(): PendingOverlay {
    if (this.#waiting.length > 0) this.#open(this.#waiting.splice(0));
    return this.#overlay;
  }

  #open(deltas: readonly DeltaMessage[]): void {
    for (const { bytes } of deltas) this.#overlay.applyLazy(decodeLazyDelta(bytes));
  }
}
