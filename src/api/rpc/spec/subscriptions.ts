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

/** An event with the finality of its transaction. */
export interface EventNotice {
  readonly emitted: EmittedEvent;
  readonly finality: Finality;
}

/** A transaction, and what it has become. */
export interface TransactionNotice {
  readonly transaction: HashedTransaction;
  readonly finality: LiveStatus;
}

/** Where a transaction stands now. */
export interface StatusNotice {
  readonly transactionHash: Felt;
  readonly status: TransactionStatusAnswer;
}

/** A block of a chain that was reverted. */
export interface OrphanedBlock {
  readonly number: number;
  readonly hash: Felt;
}

/** Accepted blocks that were reverted: the lowest and the highest of them. */
export interface Reorg {
  readonly starting: OrphanedBlock;
  readonly ending: OrphanedBlock;
}

/** Kinds of subscriptions. */
export type SubscriptionKind = SubscriptionOrder["kind"];

/** How one kind of notification is written. */
export interface Form<T> {
  /** The notification's method, without prefix. */
  readonly notification: string;
  readonly encode: Encoder<T>;
}

/** Notifications of a version; `undefined`: it has none of the kind. */
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

/** Subscriptions of a version (starknet_ws_api.json): how they are asked for, and what they send. */
export interface SubscriptionSpec {
  /** SUBSCRIPTION_BLOCK_ID. */
  readonly blockId: Decoder<BlockId>;
  /** Emitters of events. */
  readonly fromAddress: Decoder<readonly Felt[]>;
  /** `undefined`: the version has no such parameter. */
  readonly eventFinality: Decoder<"PRE_CONFIRMED" | "ACCEPTED_ON_L2"> | undefined;
  readonly tags: Decoder<Flags<"INCLUDE_PROOF_FACTS">> | undefined;
  /** SUBSCRIPTION_ID as unsubscribe takes it. */
  readonly subscriptionId: Decoder<string>;
  readonly forms: NotificationForms;
  /** Who is told that blocks were reverted. */
  readonly notifiedOfReorgs: ReadonlySet<SubscriptionKind>;
}
