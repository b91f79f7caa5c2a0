import type { HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Reorg } from "../spec/subscriptions.ts";

/** Transaction that was passed to the executor. */
export interface Candidate {
  readonly hash: Felt;
  /** Whether it was a candidate before, and returned because its block was full. */
  readonly isAgain: boolean;
  readonly bytes: Uint8Array;
  /** Decodes the transaction; only called if a subscriber needs it. */
  transaction(): HashedTransaction;
}

/** Listener for events of the node. */
export interface ChainListener {
  /** The chain has grown: a block was accepted, or transactions above it were executed. */
  changed(): void;
  /** A transaction was received: it is durable in the mempool. */
  received(transaction: HashedTransaction): void;
  /** Transactions were passed to the executor. Called only while interest is registered. */
  candidates(candidates: readonly Candidate[]): void;
  /** A received transaction will not be included. */
  rejected(hash: Felt, reason: string): void;
  /** Blocks up to this one are accepted on L1, and readers see that. */
  settled(blockNumber: number): void;
  /**
   * The chain was reverted to an earlier block: those above are gone.
   *
   * @param reorg - the accepted blocks that are gone; `undefined` if only the block being built is
   */
  reverted(reorg: Reorg | undefined): void;
}

/** Listener for candidates, and for what ends them: rejections and reverts of the chain. */
export interface CandidateWatcher {
  candidates(candidates: readonly Candidate[]): void;
  rejected(hash: Felt): void;
  reverted(): void;
}

/** Forwards events to the current listeners; keeps nothing for later ones. */
export class LiveFeed implements ChainListener {
  #listener: ChainListener | undefined;
  readonly #watchers = new Set<CandidateWatcher>();
  #isWanted = false;
  /** Interest as last reported to the callback. */
  #reportedInterest = false;
  #onInterest: (wantsUnexecuted: boolean) => void = () => undefined;

  /** Sets the listener, replacing the previous one. */
  listen(listener: ChainListener): void {
    this.#listener = listener;
  }

  /**
   * Sets the callback that reports whether anyone wants unexecuted transactions, replacing the previous one.
   * It is called now if so, and on every change.
   */
  onInterest(report: (wantsUnexecuted: boolean) => void): void {
    this.#onInterest = report;
    if (this.#reportedInterest) report(true);
  }

  /** Sets whether the listener wants transactions before they are executed; initially it does not. */
  want(unexecuted: boolean): void {
    this.#isWanted = unexecuted;
    this.#reportInterest();
  }

  /** Adds a watcher of candidates, in addition to the listener. @returns a function that removes it */
  watch(watcher: CandidateWatcher): () => void {
    this.#watchers.add(watcher);
    this.#reportInterest();
    return () => {
      this.#watchers.delete(watcher);
      this.#reportInterest();
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

  #reportInterest(): void {
    const isInterested = this.#isWanted || this.#watchers.size > 0;
    if (isInterested === this.#reportedInterest) return;
    this.#reportedInterest = isInterested;
    this.#onInterest(isInterested);
  }
}
