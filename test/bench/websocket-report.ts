/**
 * Notifications that one subscriber of `websocket.bench.ts` received, up to the requested block.
 */
export interface SubscriberReport {
  /** Number of the subscriber. */
  readonly index: number;
  /** Number of notified blocks; 0 if one was missing, repeated or out of order. */
  readonly heads: number;
  readonly events: number;
  /** Digest of all events of blocks up to the end, in order. */
  readonly digest: string;
  /** Close code; `null` while it is open. */
  readonly closed: number | null;
}

/** An incremental digest of events, in order. */
export class EventDigest {
  #state = 0n;
  count = 0;

  add(transactionHash: string, eventIndex: string | number): void {
    this.#state = BigInt(Bun.hash(`${transactionHash}/${eventIndex}`, this.#state));
    this.count++;
  }

  get text(): string {
    return this.#state.toString(16);
  }
}
