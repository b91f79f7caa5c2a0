import type { EventQuery } from "#engine/state/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Stages of a transaction, in order, that subscriptions can select. */
export type LiveStatus = "RECEIVED" | "CANDIDATE" | "PRE_CONFIRMED" | "ACCEPTED_ON_L2";

/**
 * Names of the notification forms for transactions: with or without proof facts, or those of the
 * pending block.
 */
export type TransactionForm =
  "transactions" | "transactionsWithProofFacts" | "pendingTransactions" | "pendingHashes";

/** Subscription request of a client, in domain values. */
export type SubscriptionOrder =
  | { readonly kind: "newHeads"; readonly firstBlock: number }
  | {
      readonly kind: "events";
      readonly firstBlock: number;
      readonly query: EventQuery;
      /** Whether to report events before the acceptance of their block, too, and again after it. */
      readonly preConfirmed: boolean;
    }
  | { readonly kind: "transactionStatus"; readonly hash: Felt }
  | {
      readonly kind: "transactions";
      readonly form: TransactionForm;
      readonly statuses: ReadonlySet<LiveStatus>;
      /** Empty for any sender. */
      readonly senders: readonly Felt[];
    }
  | {
      readonly kind: "receipts";
      readonly statuses: ReadonlySet<LiveStatus>;
      readonly senders: readonly Felt[];
    };

/** One kind of subscription request. */
export type OrderOf<K extends SubscriptionOrder["kind"]> = Extract<
  SubscriptionOrder,
  { readonly kind: K }
>;

/** WebSocket client, as methods see it. */
export interface Subscriber {
  /**
   * Subscribes; notifications follow the response.
   *
   * @returns the subscription's id
   * @throws {NotServedError} when the connection has too many
   */
  open(order: SubscriptionOrder): string;
  /** @returns whether the connection had such a subscription */
  close(id: string): boolean;
}
