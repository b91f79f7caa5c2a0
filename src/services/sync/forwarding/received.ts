import {
  type AccountTransaction,
  decodeTransaction,
  encodeTransaction,
  type HashedTransaction,
  nonceOf,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import { type Felt, RecentMap, type Timer } from "#base/primitives/index.ts";
import type { ForwardingLimits } from "./limits.ts";

/** Transaction that the gateway accepted from this node, and that no known block contains. */
export interface Received {
  readonly hash: Felt;
  /** The transaction with its hash, encoded. */
  readonly bytes: Uint8Array;
  /** Request body of a declaration; `undefined` if the body can be encoded again. */
  readonly bodyJson: string | undefined;
  /** Time at which tracking ends. */
  readonly untilMs: number;
  readonly sender: Felt;
  readonly nonce: Felt;
  /** Number of consecutive refusals of resends. */
  refusals: number;
  /** Number of times that the sequencer already had the transaction while a gateway did not know it. */
  duplicates: number;
  /** Number of due status requests still to be skipped. */
  skips: number;
}

/** Recently forwarded transactions, limited in count, age and size. */
export class ReceivedTransactions {
  readonly #entries: RecentMap<Felt, Received>;
  readonly #timer: Timer;
  readonly #receivedMs: number;

  constructor(limits: ForwardingLimits, timer: Timer) {
    const { maxReceived, maxReceivedBytes, receivedMs } = limits;
    // Each entry counts at least its share of the bytes, which also limits their number.
    const share = maxReceivedBytes / maxReceived;
    this.#entries = new RecentMap(maxReceivedBytes, (entry) => Math.max(share, sizeOf(entry)));
    this.#timer = timer;
    this.#receivedMs = receivedMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Tracks a transaction; evicts the oldest ones when a limit is reached. */
  add(hashed: HashedTransaction<AccountTransaction>, bodyJson: string | undefined): Received {
    const { hash, transaction } = hashed;
    const entry = {
      hash,
      bytes: encodeTransaction(hashed),
      bodyJson,
      untilMs: this.#timer.nowMs() + this.#receivedMs,
      sender: senderAddressOf(transaction),
      nonce: nonceOf(transaction),
      refusals: 0,
      duplicates: 0,
      skips: 0,
    };
    this.#entries.set(hash, entry);
    return entry;
  }

  get(hash: Felt): Received | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined || this.#timer.nowMs() < entry.untilMs) return entry;
    this.#entries.delete(hash);
    return undefined;
  }

  /** Returns the tracked transactions in the order of forwarding. */
  all(): readonly Received[] {
    const nowMs = this.#timer.nowMs();
    return [...this.#entries.values()].filter(({ untilMs }) => nowMs < untilMs);
  }

  delete(hash: Felt): void {
    this.#entries.delete(hash);
  }
}

/** Decodes the transaction of an entry. */
export function transactionOf({ bytes }: Received): HashedTransaction {
  return decodeTransaction(bytes);
}

function sizeOf({ bytes, bodyJson }: Received): number {
  return bytes.byteLength + (bodyJson?.length ?? 0);
}
