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

/** A transaction that the gateway took from here, and that is in no block that is known here. */
export interface Received {
  readonly hash: Felt;
  /** The transaction with its hash, encoded. */
  readonly bytes: Uint8Array;
  /** A declaration as it was sent; `undefined`: it can be written again. */
  readonly bodyJson: string | undefined;
  /** When it stops being remembered. */
  readonly untilMs: number;
  readonly sender: Felt;
  readonly nonce: Felt;
  /** How often it was refused in a row when it was sent again. */
  refusals: number;
  /** How often the sequencer has said that it has it, while a gateway did not know it. */
  duplicates: number;
  /** How often in a row it is not asked after when its time has come. */
  leftOut: number;
}

/** What was handed on, for a while: so many, so long, and no more bytes than there may be. */
export class ReceivedTransactions {
  readonly #entries: RecentMap<Felt, Received>;
  readonly #timer: Timer;
  readonly #receivedMs: number;

  constructor(limits: ForwardingLimits, timer: Timer) {
    const { maxReceived, maxReceivedBytes, receivedMs } = limits;
    // Each takes its share of the bytes at least: there are never more of them than there may be.
    const share = maxReceivedBytes / maxReceived;
    this.#entries = new RecentMap(maxReceivedBytes, (entry) => Math.max(share, sizeOf(entry)));
    this.#timer = timer;
    this.#receivedMs = receivedMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Remembers one; those that were handed on first go when there are too many. */
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
      leftOut: 0,
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

  /** Those that are remembered, in the order in which they were handed on. */
  all(): readonly Received[] {
    const nowMs = this.#timer.nowMs();
    return [...this.#entries.values()].filter(({ untilMs }) => nowMs < untilMs);
  }

  delete(hash: Felt): void {
    this.#entries.delete(hash);
  }
}

/** The transaction of an entry. */
export function transactionOf({ bytes }: Received): HashedTransaction {
  return decodeTransaction(bytes);
}

function sizeOf({ bytes, bodyJson }: Received): number {
  return bytes.byteLength + (bodyJson?.length ?? 0);
}
