import type { Felt } from "#base/primitives/index.ts";
import type { MessageLog } from "#io/l1/index.ts";
import type { MessageIndex } from "./message-index.ts";
import type { L1ChainPort } from "./ports.ts";
import { FELTS_BESIDE_PAYLOAD, SLICE_FELTS, transactionOf } from "./waiting-message.ts";

/** What messages are listed with. */
export interface MessageListingDeps {
  readonly chain: Pick<L1ChainPort, "consumedMessage">;
  /** The chain id as a short string felt. */
  readonly chainId: Felt;
  readonly index: MessageIndex;
  /** Lets what else waits for this thread go on. */
  yieldToOthers(): Promise<void>;
}

/** Takes messages from L1 to answer who asks for them, and has none executed: as a full node does. */
export class MessageListing {
  readonly #deps: MessageListingDeps;
  #epoch = 0;
  #next: bigint | undefined;

  constructor(deps: MessageListingDeps) {
    this.#deps = deps;
  }

  /** Logs from a block on follow. */
  begins(_fromBlock: number): void {
    this.reset();
  }

  /** Lists the messages of the next range of blocks; those that it has are left alone. */
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
      work += payload.length + FELTS_BESIDE_PAYLOAD;
      if (work < SLICE_FELTS) continue;
      work = 0;
      await yieldToOthers();
      if (epoch !== this.#epoch) return;
    }
  }

  /** There is nothing to compare. */
  step(): Promise<void> {
    return Promise.resolve();
  }

  /** What was told is not so any more. */
  reset(): void {
    this.#epoch++;
    this.#next = undefined;
    this.#deps.index.clear();
  }
}
