import type { Felt, Timer } from "#base/primitives/index.ts";
import { LiveFeed, type Reorg, RESPONSE_CACHE_BYTES, ResponseCache } from "#api/rpc/index.ts";
import type { ChainReader, StateReader } from "#engine/state/index.ts";
import { PendingFeed } from "#services/admission/index.ts";
import type { Growth } from "../../threads/growth.ts";
import { PublishedChain } from "./published-chain.ts";

/** The chain as the main thread, and so every client, has seen it: published blocks and what is above. */
export class ChainView {
  readonly chain: PublishedChain;
  readonly feed: PendingFeed;
  /** Tells subscribers that there is more to see. */
  readonly live: LiveFeed = new LiveFeed();
  /** Answers about blocks that are accepted. */
  readonly answers: ResponseCache = new ResponseCache(RESPONSE_CACHE_BYTES);

  /** @param stored - what is on disk */
  constructor(stored: ChainReader, timer: Timer) {
    this.chain = new PublishedChain(stored);
    this.feed = new PendingFeed(this.chain, timer);
  }

  /**
   * Shows nothing above a block from now on: it is about to be reverted. Ends with {@link reset}.
   */
  withdraw(blockNumber: number): void {
    this.chain.withdraw(blockNumber);
    this.feed.reset();
    this.answers.clear();
  }

  /**
   * The chain was reverted to what is stored.
   *
   * @param reorg - the accepted blocks that are gone; `undefined` when there are none
   */
  reset(reorg: Reorg | undefined): void {
    this.chain.reset();
    this.feed.reset();
    this.answers.clear();
    this.live.reverted(reorg);
  }

  /** The state after the newest published block. */
  latestState(): StateReader {
    return this.chain.stateAt(this.chain.latestNumber() ?? -1);
  }

  /** Whether an account stands at an address after the newest published block. */
  hasAccount(address: Felt): boolean {
    return this.classHashAt(address) !== 0n;
  }

  /** The class of a contract after the newest published block; 0 where there is none. */
  classHashAt(address: Felt): Felt {
    return this.latestState().classHashAt(address);
  }

  /**
   * Sees what is told of the chain's growth from now on.
   *
   * @param onAccepted - is told of each block once it can be seen
   */
  follow<Accepted extends { readonly blockNumber: number }>(
    { deltas, accepted }: Growth<Accepted>,
    onAccepted: (accepted: Accepted) => void,
  ): void {
    deltas.listen((delta) => {
      if (delta.kind === "pendingGone") {
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
    });
  }
}
