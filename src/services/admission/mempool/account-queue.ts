import type { Felt } from "#base/primitives/index.ts";
import type { HeldEntry } from "./held-entry.ts";
import { PriorityQueue } from "./priority-queue.ts";
import { sizeBytesOf } from "./types.ts";

/**
 * Transactions of one account, waiting or in flight, at most one per nonce.
 *
 * `next` is the nonce that may be executed next: the account's nonce on the pending state plus the unsettled
 * transactions in flight.
 */
export class AccountQueue {
  readonly sender: Felt;
  next: bigint;
  /** Nonces of transactions handed out and not settled. */
  readonly inFlight = new Set<bigint>();
  /** The entry offered for execution, as it is known to the mempool's order. */
  offered: HeldEntry | undefined;
  readonly #waiting = new Map<bigint, HeldEntry>();
  readonly #highestFirst = new PriorityQueue<bigint>((a, b) => a > b);
  #bytes = 0;

  constructor(sender: Felt, next: bigint) {
    this.sender = sender;
    this.next = next;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the account has no waiting or in-flight transaction. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.inFlight.size === 0;
  }

  at(nonce: bigint): HeldEntry | undefined {
    return this.#waiting.get(nonce);
  }

  /** The transaction that can be executed now. */
  ready(): HeldEntry | undefined {
    return this.#waiting.get(this.next);
  }

  /** The waiting transaction furthest from execution. */
  last(): HeldEntry | undefined {
    const nonce = this.#highestFirst.peek();
    return nonce === undefined ? undefined : this.#waiting.get(nonce);
  }

  /** Number of transactions that must come before one with this nonce. */
  gapOf(nonce: bigint): bigint {
    return nonce - this.next;
  }

  /** First nonce from `from` on without a waiting or in-flight transaction. */
  firstFree(from: bigint): bigint {
    let nonce = from;
    while (this.#waiting.has(nonce) || this.inFlight.has(nonce)) nonce++;
    return nonce;
  }

  /** Adds a waiting transaction; its nonce must be unused. */
  insert(held: HeldEntry): void {
    const { nonce } = held.entry;
    this.#waiting.set(nonce, held);
    this.#highestFirst.update(nonce);
    this.#bytes += sizeBytesOf(held.entry);
  }

  remove(held: HeldEntry): void {
    const { nonce } = held.entry;
    this.#waiting.delete(nonce);
    this.#highestFirst.remove(nonce);
    this.#bytes -= sizeBytesOf(held.entry);
  }

  /** Waiting transactions whose nonce is below `nonce`; none is below `next`. */
  below(nonce: bigint): HeldEntry[] {
    if (nonce === this.next) return [];
    return [...this.#waiting.values()].filter((held) => held.entry.nonce < nonce);
  }
}
