import type { BlockHeader, HashedTransaction } from "#protocol/chain/index.ts";
import type { Decoder } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockId } from "../block-id.ts";
import type {
  EmittedEvent,
  Encoder,
  Finality,
  Flags,
  ReceiptAnswer,
  TransactionStatusAnswer,
} from "./answers.ts";
import type { LiveStatus, SubscriptionOrder } from "../ws/order.ts";

/** Event with the finality of its transaction. */
export interface EventNotice {
  readonly emitted: EmittedEvent;
  readonly finality: Finality;
}

/** Transaction with its new finality. */
export interface TransactionNotice {
  readonly transaction: HashedTransaction;
  readonly finality: LiveStatus;
}

/** New status of a transaction. */
export interface StatusNotice {
  readonly transactionHash: Felt;
  readonly status: TransactionStatusAnswer;
}

/** Block that a reorg removed. */
export interface OrphanedBlock {
  readonly number: number;
  readonly hash: Felt;
}

/** Accepted blocks that a reorg removed: the lowest and the highest. */
export interface Reorg {
  readonly starting: OrphanedBlock;
  readonly ending: OrphanedBlock;
}

/** Kinds of subscriptions. */
export type SubscriptionKind = SubscriptionOrder["kind"];

/** Encoding of one kind of notification. */
export interface Form<T> {
  /** Notification method, without prefix. */
  readonly notification: string;
  readonly encode: Encoder<T>;
}

/** Notification forms of a version; `undefined` for kinds that it lacks. */
export interface NotificationForms {
  readonly newHeads: Form<BlockHeader>;
  readonly events: Form<EventNotice>;
  readonly transactionStatus: Form<StatusNotice>;
  readonly receipts: Form<ReceiptAnswer> | undefined;
  readonly transactions: Form<TransactionNotice> | undefined;
  readonly transactionsWithProofFacts: Form<TransactionNotice> | undefined;
  readonly pendingTransactions: Form<TransactionNotice> | undefined;
  readonly pendingHashes: Form<TransactionNotice> | undefined;
  readonly reorg: Form<Reorg>;
}

/** Subscriptions of a version (starknet_ws_api.json): their parameters and notifications. */
export interface SubscriptionSpec {
  /** SUBSCRIPTION_BLOCK_ID. */
  readonly blockId: Decoder<BlockId>;
  /** Emitters of events. */
  readonly fromAddress: Decoder<readonly Felt[]>;
  /** `undefined` if the version has no such parameter. */
  readonly eventFinality: Decoder<"PRE_CONFIRMED" | "ACCEPTED_ON_L2"> | undefined;
  readonly tags: Decoder<Flags<"INCLUDE_PROOF_FACTS">> | undefined;
  /** SUBSCRIPTION_ID as unsubscribe accepts it. */
  readonly subscriptionId: Decoder<string>;
  readonly forms: NotificationForms;
  /** Kinds of subscriptions that receive reorg notifications. */
  readonly notifiedOfReorgs: ReadonlySet<SubscriptionKind>;
}
