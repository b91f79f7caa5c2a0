import type { Felt } from "#base/primitives/index.ts";
import type { MessageLog } from "#io/l1/index.ts";
import type { MessageIndex } from "./message-index.ts";
import type { L1ChainPort } from "./ports.ts";
import { NON_PAYLOAD_FELTS, SLICE_FELTS, transactionOf } from "./waiting-message.ts";

/** Dependencies of {@link MessageListing}. */
export interface MessageListingDeps {
  readonly chain: Pick<L1ChainPort, "consumedMessage">;
  /** The chain id as a short string felt. */
  readonly chainId: Felt;
  readonly index: MessageIndex;
  /** Yields to other work on this thread. */
  yieldToOthers(): Promise<void>;
}

/** Indexes L1 messages for queries without executing them, as on a full node. */
export class MessageListing {
  readonly #deps: MessageListingDeps;
  #epoch = 0;
  #next: bigint | undefined;

  constructor(deps: MessageListingDeps) {
    this.#deps = deps;
  }

  /** Starts over: logs from a block on follow. */
  begins(_fromBlock: number): void {
    this.reset();
  }

  /** Indexes the messages of the next block range; skips known ones. */
  async logs(messages: readonly MessageLog[]): Promise<void> {
    const { chain, chainId, index, yieldToOthers } = this.#deps;
    const epoch = this.#epoch;
    let work = 0;
    for (const message of messages) {
      const { nonce, payload, transactionHash: l1TransactionHash } = message;
      if (this.#next !== undefined && nonce < this.#next) continue;
      this.#next = nonce + 1n;
      const transaction = transactionOf(message, chainId);
      if (transaction.kind === "usable") {
        const isWaiting = chain.consumedMessage(nonce) === undefined;
        index.add({ nonce, transactionHash: transaction.hash, l1TransactionHash, isWaiting });
      }
      work += payload.length + NON_PAYLOAD_FELTS;
      if (work < SLICE_FELTS) continue;
      work = 0;
      await yieldToOthers();
      if (epoch !== this.#epoch) return;
    }
  }

  /** No-op: a listing compares nothing. */
  step(): Promise<void> {
    return Promise.resolve();
  }

  /** Discards all messages: the reports so far are stale. */
  reset(): void {
    this.#epoch++;
    this.#next = undefined;
    this.#deps.index.clear();
  }
}
