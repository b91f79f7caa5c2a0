import type { HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Reorg } from "../spec/subscriptions.ts";

/** A transaction that was handed to the executor. */
export interface Candidate {
  readonly hash: Felt;
  /** It was before, and came back: its block was full. */
  readonly isAgain: boolean;
  /** The transaction, encoded. */
  readonly bytes: Uint8Array;
  /** Reads the transaction, which is encoded until somebody wants it. */
  transaction(): HashedTransaction;
}

/** Who hears what happens on the node. */
export interface ChainListener {
  /** There is more to see: a block was accepted, or transactions above it were executed. */
  changed(): void;
  /** A transaction was received: the mempool has it durably. */
  received(transaction: HashedTransaction): void;
  /** Transactions go to the executor. Told only while somebody wants that. */
  candidates(candidates: readonly Candidate[]): void;
  /** A transaction that was received is not going to be included. */
  rejected(hash: Felt, reason: string): void;
  /** Blocks up to this one are accepted on L1, and readers see that. */
  settled(blockNumber: number): void;
  /**
   * The chain was reverted to an earlier block: those above are gone.
   *
   * @param reorg - those that were accepted; `undefined` when only what was being built is gone
   */
  reverted(reorg: Reorg | undefined): void;
}

/** Who hears of candidates and of nothing else. */
export interface CandidateWatcher {
  candidates(candidates: readonly Candidate[]): void;
  rejected(hash: Felt): void;
  reverted(): void;
}

/** Hands on what happens to who listens; nothing is kept for who listens later. */
export class LiveFeed implements ChainListener {
  #listener: ChainListener | undefined;
  readonly #watchers = new Set<CandidateWatcher>();
  #isWanted = false;
  /** Whether who was told last knows that somebody wants to hear. */
  #isTold = false;
  #onInterest: (wantsUnexecuted: boolean) => void = () => undefined;

  /** Hears what happens from now on, instead of who did before. */
  listen(listener: ChainListener): void {
    this.#listener = listener;
  }

  /**
   * Tells whether anybody wants to hear of transactions before they are executed, now and whenever that
   * changes, instead of who was told before.
   */
  onInterest(tell: (wantsUnexecuted: boolean) => void): void {
    this.#onInterest = tell;
    if (this.#isTold) tell(true);
  }

  /**
   * Whoever listens says whether it wants to hear of transactions before they are executed; at first it
   * does not.
   */
  want(unexecuted: boolean): void {
    this.#isWanted = unexecuted;
    this.#tellInterest();
  }

  /** Hears of candidates from now on, beside who listens. @returns ends that */
  watch(watcher: CandidateWatcher): () => void {
    this.#watchers.add(watcher);
    this.#tellInterest();
    return () => {
      this.#watchers.delete(watcher);
      this.#tellInterest();
    };
  }

  changed(): void {
    this.#listener?.changed();
  }

  received(transaction: HashedTransaction): void {
    this.#listener?.received(transaction);
  }

  candidates(candidates: readonly Candidate[]): void {
    if (this.#isWanted) this.#listener?.candidates(candidates);
    for (const watcher of this.#watchers) watcher.candidates(candidates);
  }

  rejected(hash: Felt, reason: string): void {
    this.#listener?.rejected(hash, reason);
    for (const watcher of this.#watchers) watcher.rejected(hash);
  }

  settled(blockNumber: number): void {
    this.#listener?.settled(blockNumber);
  }

  reverted(reorg: Reorg | undefined): void {
    this.#listener?.reverted(reorg);
    for (const watcher of this.#watchers) watcher.reverted();
  }

  #tellInterest(): void {
    const isInterested = this.#isWanted || this.#watchers.size > 0;
    if (isInterested === this.#isTold) return;
    this.#isTold = isInterested;
    this.#onInterest(isInterested);
  }
}
