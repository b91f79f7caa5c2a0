import type { Felt } from "#base/primitives/index.ts";

/** An L1 message, as returned to queries. */
export interface IndexedMessage {
  readonly nonce: bigint;
  readonly transactionHash: Felt;
  /** Hash of the L1 transaction that sent it. */
  readonly l1TransactionHash: bigint;
  /** Final on L1, and in no block when it was added; may be in one since. */
  readonly isWaiting: boolean;
}

/**
 * Index of the newest final messages to L2: which L1-handler transactions belong to an L1 transaction, and
 * which of them are in no block yet. Beyond the capacity the oldest are evicted.
 */
export class MessageIndex {
  readonly #capacity: number;
  /** By insertion number. */
  readonly #messages = new Map<number, IndexedMessage>();
  readonly #byTransaction = new Map<Felt, number>();
  /** Number of the first message of each L1 transaction; its others follow. */
  readonly #firstOfL1Transaction = new Map<bigint, number>();
  #oldest = 0;
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#next - this.#oldest;
  }

  /** Adds the newest message; those of one L1 transaction must be added consecutively, in order. */
  add(message: IndexedMessage): void {
    const number = this.#next++;
    this.#messages.set(number, message);
    this.#byTransaction.set(message.transactionHash, number);
    if (!this.#firstOfL1Transaction.has(message.l1TransactionHash)) {
      this.#firstOfL1Transaction.set(message.l1TransactionHash, number);
    }
    if (this.size > this.#capacity) this.#forgetOldest();
  }

  /** Sets whether a message waits for a block; one that is held back does not. */
  setWaiting(transactionHash: Felt, isWaiting: boolean): void {
    const number = this.#byTransaction.get(transactionHash);
    const message = number === undefined ? undefined : this.#messages.get(number);
    if (number === undefined || message === undefined) return;
    this.#messages.set(number, { ...message, isWaiting });
  }

  /** Whether an L1-handler transaction belongs to a message that was in no block when reported. */
  isWaiting(transactionHash: Felt): boolean {
    const number = this.#byTransaction.get(transactionHash);
    return number !== undefined && this.#messages.get(number)?.isWaiting === true;
  }

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
