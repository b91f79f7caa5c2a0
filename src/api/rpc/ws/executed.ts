import type { HashedTransaction, Receipt } from "#protocol/chain/index.ts";
import { invariant } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { senderAddressOf } from "#protocol/chain/index.ts";
import type { EventNotice, StatusNotice, TransactionNotice } from "../spec/subscriptions.ts";
import type { ReceiptAnswer } from "../spec/version.ts";
import { Notice } from "./notice.ts";

/** Transactions of a block with their receipts, read one at a time by subscriptions. */
export interface BlockContent {
  /** Returns the transaction at a position, from 0; `undefined` beyond the last one. */
  executed(index: number, place: Place): Executed | undefined;
}

/** Position of a block's transactions in the chain, without their index. */
export type Place = Omit<Placement, "index">;

/** Position of a transaction in the chain, and its finality. */
export interface Placement {
  readonly finality: "PRE_CONFIRMED" | "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";
  readonly blockNumber: number;
  /** Absent while the block is not accepted. */
  readonly blockHash?: Felt;
  /** Position in the block, from 0. */
  readonly index: number;
}

/** Transaction of a block, as reported to subscribers; its notices are encoded on demand. */
export class Executed {
  readonly placement: Placement;
  readonly receipt: Receipt;
  readonly #read: () => HashedTransaction | undefined;
  #known: HashedTransaction | undefined;
  #transactionNotice: Notice<TransactionNotice> | undefined;
  #receiptNotice: Notice<ReceiptAnswer> | undefined;
  #statusNotice: Notice<StatusNotice> | undefined;
  #eventNotices: Notice<EventNotice>[] | undefined;

  /** @param read - reads the transaction; it must exist */
  constructor(read: () => HashedTransaction | undefined, receipt: Receipt, placement: Placement) {
    this.placement = placement;
    this.receipt = receipt;
    this.#read = read;
  }

  /** Sender address; `undefined` for a transaction without a sender. */
  get sender(): Felt | undefined {
    return senderOf(this.#transaction);
  }

  get transactionNotice(): Notice<TransactionNotice> {
    const { finality } = this.placement;
    this.#transactionNotice ??= new Notice<TransactionNotice>({
      transaction: this.#transaction,
      finality: finality === "PRE_CONFIRMED" ? finality : "ACCEPTED_ON_L2",
    });
    return this.#transactionNotice;
  }

  get receiptNotice(): Notice<ReceiptAnswer> {
    const { finality, blockNumber, blockHash } = this.placement;
    this.#receiptNotice ??= new Notice<ReceiptAnswer>({
      transaction: this.#transaction,
      receipt: this.receipt,
      finality,
      blockNumber,
      ...(blockHash === undefined ? {} : { blockHash }),
    });
    return this.#receiptNotice;
  }

  get statusNotice(): Notice<StatusNotice> {
    const { receipt } = this;
    this.#statusNotice ??= new Notice<StatusNotice>({
      transactionHash: receipt.transactionHash,
      status: { kind: "executed", finality: this.placement.finality, receipt },
    });
    return this.#statusNotice;
  }

  eventNotice(eventIndex: number): Notice<EventNotice> {
    const notices = (this.#eventNotices ??= []);
    return (notices[eventIndex] ??= this.#makeEventNotice(eventIndex));
  }

  #makeEventNotice(eventIndex: number): Notice<EventNotice> {
    const { finality, blockNumber, blockHash, index } = this.placement;
    const event = this.receipt.events[eventIndex] as Receipt["events"][number];
    return new Notice<EventNotice>({
      finality,
      emitted: {
        event,
        blockNumber,
        ...(blockHash === undefined ? {} : { blockHash }),
        transactionHash: this.receipt.transactionHash,
        transactionIndex: index,
        eventIndex,
      },
    });
  }

  get #transaction(): HashedTransaction {
    const transaction = (this.#known ??= this.#read());
    invariant(transaction !== undefined, "a receipt has its transaction");
    return transaction;
  }
}

/**
 * Returns the sender of a transaction; `undefined` for messages from L1 and deployments without an account.
 */
export function senderOf({ transaction }: HashedTransaction): Felt | undefined {
  return transaction.type === "L1_HANDLER" || transaction.type === "DEPLOY"
    ? undefined
    : senderAddressOf(transaction);
}
