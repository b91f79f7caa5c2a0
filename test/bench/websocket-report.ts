/** What one subscriber of `websocket.bench.ts` was told; its end is the block that was asked for. */
export interface SubscriberReport {
  /** Its number among all subscribers. */
  readonly index: number;
  /** Blocks that it was told of; 0 when one was missing, came twice or too early. */
  readonly heads: number;
  readonly events: number;
  /** Of all events of blocks up to the end, in their order. */
  readonly digest: string;
  /** Close code; `null` while it is open. */
  readonly closed: number | null;
}

/** A digest that goes on over events, in their order. */
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
