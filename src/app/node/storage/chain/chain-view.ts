import type { Felt, Timer } from "#base/primitives/index.ts";
import { LiveFeed, type Reorg, RESPONSE_CACHE_BYTES, ResponseCache } from "#api/rpc/index.ts";
import type { ChainReader, StateReader } from "#engine/state/index.ts";
import { PendingFeed } from "#services/admission/index.ts";
import type { Growth } from "../../threads/growth.ts";
import { PublishedChain } from "./published-chain.ts";

/** Chain that the main thread, and so every client, sees: published and pending blocks. */
export class ChainView {
  readonly chain: PublishedChain;
  readonly feed: PendingFeed;
  /** Notifies subscribers of changes. */
  readonly live: LiveFeed = new LiveFeed();
  /** Cached responses about accepted blocks. */
  readonly answers: ResponseCache = new ResponseCache(RESPONSE_CACHE_BYTES);
  #onHead: (blockNumber: number) => void = () => undefined;
  readonly #stored: Pick<ChainReader, "stateAt">;

  /**
   * @param stored - chain on disk
   * @param whole - the chain that clients see: `stored`, on a fork with the origin below it
   */
  constructor(stored: ChainReader, whole: ChainReader, timer: Timer) {
    this.chain = new PublishedChain(whole);
    this.#stored = stored === whole ? this.chain : stored;
    this.feed = new PendingFeed(this.chain, timer);
  }

  /** View of a chain that is stored completely. */
  static ofStored(stored: ChainReader, timer: Timer): ChainView {
    return new ChainView(stored, stored, timer);
  }

  /** Sets the listener for the newest visible block, -1 if no block is; it replaces the one before. */
  onHead(listener: (blockNumber: number) => void): void {
    this.#onHead = listener;
  }

  /** Hides all blocks above `blockNumber` before a revert; call {@link reset} after it. */
  withdraw(blockNumber: number): void {
    this.chain.withdraw(blockNumber);
    this.feed.reset();
    this.answers.clear();
  }

  /**
   * Shows the stored chain after a revert.
   *
   * @param reorg - the reverted accepted blocks; `undefined` if none
   */
  reset(reorg: Reorg | undefined): void {
    this.chain.reset();
    this.feed.reset();
    this.answers.clear();
    this.live.reverted(reorg);
    this.#onHead(this.chain.latestNumber() ?? -1);
  }

  /** State after the newest published block; on a fork, only what stored blocks wrote. */
  latestState(): StateReader {
    return this.#stored.stateAt(this.chain.latestNumber() ?? -1);
  }

  /** State after the newest published block; on a fork, reads may lack values of the origin. */
  wholeState(): StateReader {
    return this.chain.stateAt(this.chain.latestNumber() ?? -1);
  }

  /** Whether an account is deployed at an address in {@link latestState}. */
  hasAccount(address: Felt): boolean {
    return this.classHashAt(address) !== 0n;
  }

  /** Class hash of a contract in {@link latestState}; 0 if none is deployed. */
  classHashAt(address: Felt): Felt {
    return this.latestState().classHashAt(address);
  }

  /**
   * Applies the growth messages of the chain from now on.
   *
   * @param onAccepted - called for each block once it is visible
   */
  follow<Accepted extends { readonly blockNumber: number }>(
    { deltas, accepted }: Growth<Accepted>,
    onAccepted: (accepted: Accepted) => void,
  ): void {
    deltas.listen((delta) => {
      if (delta.kind === "pendingDropped") {
        this.feed.lost();
        this.live.reverted(undefined);
        return;
      }
      this.feed.delta(delta);
      this.live.changed();
    });
    accepted.listen((block) => {
      this.chain.publish(block.blockNumber);
      this.feed.accepted(block);
      onAccepted(block);
      this.live.changed();
      this.#onHead(block.blockNumber);
    });
  }
}
