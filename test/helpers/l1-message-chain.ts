import { decodeTransaction } from "#protocol/chain/index.ts";
import type {
  ConsumedMessage,
  L1ChainPort,
  L1HandlerOrder,
  L1HandlerOutcome,
} from "#services/l1-watch/index.ts";

interface ModelMessage extends ConsumedMessage {
  readonly nonce: bigint;
  readonly l1BlockNumber: number;
}

/** A chain of blocks with messages, and an executor for its open block. */
export class ModelChain implements Pick<
  L1ChainPort,
  "consumedMessage" | "newestConsumedNonce" | "firstConsumedFrom" | "l1BlockOf"
> {
  /** Messages in the order of execution. */
  #messages: ModelMessage[] = [];
  #open = 0;
  /** Hook before the execution of each batch. */
  beforeBatch: (orders: readonly L1HandlerOrder[]) => void = () => undefined;
  /** Number of the following batches that are not executed. */
  interruptions = 0;
  batches = 0;
  /** Whether batches are executed without a response. */
  losesAnswers = false;

  /** Nonces of all messages of the chain, including those of the open block. */
  get nonces(): readonly bigint[] {
    return this.#messages.map(({ nonce }) => nonce);
  }

  get openBlock(): number {
    return this.#open;
  }

  /** Seals and accepts the open block. */
  accept(): void {
    this.#open++;
  }

  /** Drops the open block, as a kill does. */
  loseOpenBlock(): void {
    this.#messages = this.#messages.filter(({ blockNumber }) => blockNumber < this.#open);
  }

  /** Reverts blocks from this one on. */
  revertBelow(blockNumber: number): void {
    this.#open = Math.min(blockNumber, this.#open);
    this.loseOpenBlock();
  }

  /** Replaces the message of a nonce. */
  replaceHash(nonce: bigint, transactionHash: bigint): void {
    this.#messages = this.#messages.map((message) =>
      message.nonce === nonce ? { ...message, transactionHash } : message,
    );
  }

  consumedMessage(nonce: bigint): ConsumedMessage | undefined {
    return this.#accepted().find((message) => message.nonce === nonce);
  }

  newestConsumedNonce(): bigint | undefined {
    let newest: bigint | undefined;
    for (const { nonce } of this.#accepted()) {
      if (newest === undefined || nonce > newest) newest = nonce;
    }
    return newest;
  }

  firstConsumedFrom(from: bigint): ConsumedMessage | undefined {
    return this.#accepted().find(({ nonce }) => nonce >= from);
  }

  l1BlockOf({ transactionHash }: ConsumedMessage): number | undefined {
    return this.#messages.find((message) => message.transactionHash === transactionHash)
      ?.l1BlockNumber;
  }

  readonly execute = async (
    orders: readonly L1HandlerOrder[],
  ): Promise<readonly L1HandlerOutcome[]> => {
    await Promise.resolve();
    this.batches++;
    if (this.interruptions > 0) {
      this.interruptions--;
      if (this.losesAnswers) for (const order of orders) this.#execute(order);
      return orders.map(() => ({ kind: "interrupted" }) as const);
    }
    this.beforeBatch(orders);
    return orders.map((order) => this.#execute(order));
  };

  #execute({ bytes, nonce, transactionHash, l1BlockNumber }: L1HandlerOrder): L1HandlerOutcome {
    const { hash } = decodeTransaction(bytes);
    if (hash !== transactionHash) return { kind: "refused", reason: "another hash" };
    if (this.#messages.some((message) => message.transactionHash === hash)) {
      return { kind: "known" };
    }
    this.#messages.push({ nonce, transactionHash, l1BlockNumber, blockNumber: this.#open });
    return { kind: "included", blockNumber: this.#open };
  }

  #accepted(): ModelMessage[] {
    return this.#messages.filter(({ blockNumber }) => blockNumber < this.#open);
  }
}
