import type { Felt } from "#base/primitives/index.ts";

/** A message as those who ask for it get to know it. */
export interface IndexedMessage {
  readonly nonce: bigint;
  readonly transactionHash: Felt;
  /** Of the transaction on L1 that sent it. */
  readonly l1TransactionHash: bigint;
  /** It counts on L1, and no block had it when it was added; it may have one since. */
  readonly isWaiting: boolean;
}

/**
 * The newest messages to L2 that count on L1, as they were told: which L1 handler transactions belong to
 * a transaction on L1, and which of them nothing else knows yet. Beyond the capacity the oldest go.
 */
export class MessageIndex {
  readonly #capacity: number;
  /** By their number in the order in which they were added. */
  readonly #messages = new Map<number, IndexedMessage>();
  readonly #byTransaction = new Map<Felt, number>();
  /** The first one of each transaction on L1; its others follow. */
  readonly #firstOfL1Transaction = new Map<bigint, number>();
  #oldest = 0;
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#next - this.#oldest;
  }

  /** Adds the newest; those of one transaction on L1 one after the other, in their order. */
  add(message: IndexedMessage): void {
    const number = this.#next++;
    this.#messages.set(number, message);
    this.#byTransaction.set(message.transactionHash, number);
    if (!this.#firstOfL1Transaction.has(message.l1TransactionHash)) {
      this.#firstOfL1Transaction.set(message.l1TransactionHash, number);
    }
    if (this.size > this.#capacity) this.#forgetOldest();
  }

  /** It waits for a block, or does not: because it is left out. */
  setWaiting(transactionHash: Felt, isWaiting: boolean): void {
    const number = this.#byTransaction.get(transactionHash);
    const message = number === undefined ? undefined : this.#messages.get(number);
    if (number === undefined || message === undefined) return;
    this.#messages.set(number, { ...message, isWaiting });
  }

  /** Whether L1 has a message with this L1 handler transaction that no block had when it was told. */
  isWaiting(transactionHash: Felt): boolean {
    const number = this.#byTransaction.get(transactionHash);
    return number !== undefined && this.#messages.get(number)?.isWaiting === true;
  }

  /** The messages that a transaction on L1 sent, in its order. */
  ofL1Transaction(l1TransactionHash: bigint): readonly IndexedMessage[] {
    const found: IndexedMessage[] = [];
    let number = this.#firstOfL1Transaction.get(l1TransactionHash);
    while (number !== undefined) {
      const message = this.#messages.get(number);
      if (message?.l1TransactionHash !== l1TransactionHash) break;
      found.push(message);
      number++;
    }
    return found;
  }

  clear(): void {
    this.#messages.clear();
    this.#byTransaction.clear();
    this.#firstOfL1Transaction.clear();
    this.#oldest = this.#next;
  }

  #forgetOldest(): void {
    const number = this.#oldest++;
    const message = this.#messages.get(number);
    if (message === undefined) return;
    const { transactionHash, l1TransactionHash } = message;
    this.#messages.delete(number);
    if (this.#byTransaction.get(transactionHash) === number) {
      this.#byTransaction.delete(transactionHash);
    }
    const isLast = this.#messages.get(this.#oldest)?.l1TransactionHash !== l1TransactionHash;
    if (isLast) this.#firstOfL1Transaction.delete(l1TransactionHash);
    else this.#firstOfL1Transaction.set(l1TransactionHash, this.#oldest);
  }
}
