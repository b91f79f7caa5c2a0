import type { HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Who hears what happens on the node. */
export interface ChainListener {
  /** There is more to see: a block was accepted, or transactions above it were executed. */
  changed(): void;
  /** A transaction was received: the mempool has it durably. */
  received(transaction: HashedTransaction): void;
  /** A transaction that was received is not going to be included. */
  rejected(hash: Felt, reason: string): void;
}

/** Hands on what happens to who listens; nothing is kept for who listens later. */
export class LiveFeed implements ChainListener {
  #listener: ChainListener | undefined;

  /** Hears what happens from now on, instead of who did before. */
  listen(listener: ChainListener): void {
    this.#listener = listener;
  }

  changed(): void {
    this.#listener?.changed();
  }

  received(transaction: HashedTransaction): void {
    this.#listener?.received(transaction);
  }

  rejected(hash: Felt, reason: string): void {
    this.#listener?.rejected(hash, reason);
  }
}
