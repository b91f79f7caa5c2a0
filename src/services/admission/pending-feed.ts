import type { Timer } from "#base/primitives/index.ts";
import {
  type ChainReader,
  openPendingDelta,
  PendingOverlay,
  type ReadPosition,
} from "#engine/state/index.ts";
import type { DeltaMessage } from "./messages.ts";
import { PositionGate, type PositionView } from "./position-gate.ts";

/**
 * The pending state of one thread, decoded only when somebody asks, and transactions and receipts only
 * when somebody asks for those: under load most deltas are overtaken by their block's acceptance before a
 * reader of this thread wants them. What those change is decoded where the accepted state is read, which
 * remembers by that what it has read. Knows how much of the chain this thread has seen.
 */
export class PendingFeed implements PositionView {
  readonly #overlay: PendingOverlay;
  readonly #gate: PositionGate;
  #waiting: DeltaMessage[] = [];

  /** @param chain - reader whose newest block is the base at the start */
  constructor(chain: ChainReader, timer: Timer) {
    this.#overlay = new PendingOverlay(chain);
    this.#gate = new PositionGate(this.#overlay.acceptedNumber, timer);
  }

  get position(): ReadPosition {
    return this.#gate.position;
  }

  /** As {@link PositionGate.reach}. */
  reach(wanted: ReadPosition): Promise<boolean> | undefined {
    return this.#gate.reach(wanted);
  }

  /** Takes in a delta. Those of accepted blocks are late: the two kinds come on different ports. */
  delta(message: DeltaMessage): void {
    if (message.blockNumber <= this.#overlay.acceptedNumber) return;
    this.#waiting.push(message);
    this.#gate.delta(message.blockNumber, message.sequence);
  }

  /**
   * A block is accepted: what is known of it is read from the database from now on. Who waits for it
   * goes on, so that the database must show it already.
   */
  accepted(message: { readonly blockNumber: number }): void {
    const { blockNumber } = message;
    // Those of blocks above stay, in order.
    const above = this.#waiting.findIndex((delta) => delta.blockNumber > blockNumber);
    const overtaken = this.#waiting.splice(0, above === -1 ? this.#waiting.length : above);
    if (this.#overlay.isRead) this.#open(overtaken);
    this.#overlay.accepted(blockNumber);
    this.#gate.accepted(blockNumber);
  }

  /** What stood above the accepted blocks is lost; deltas of the next block begin anew. */
  lost(): void {
    this.#waiting = [];
    this.#overlay.reset();
    this.#gate.lost();
  }

  /** The chain was reverted to its reader's newest block, and nothing is above it. */
  reset(): void {
    this.#waiting = [];
    this.#overlay.reset();
    this.#gate.reset(this.#overlay.acceptedNumber);
  }

  /** The overlay with everything that has arrived. */
  current(): PendingOverlay {
    if (this.#waiting.length > 0) this.#open(this.#waiting.splice(0));
    return this.#overlay;
  }

  #open(deltas: readonly DeltaMessage[]): void {
    for (const { bytes } of deltas) this.#overlay.applyOpened(openPendingDelta(bytes));
  }
}
