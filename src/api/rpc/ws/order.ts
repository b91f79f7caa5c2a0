import type { EventQuery } from "#engine/state/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** What a transaction becomes, in this order, and what subscriptions can ask for. */
export type LiveStatus = "RECEIVED" | "CANDIDATE" | "PRE_CONFIRMED" | "ACCEPTED_ON_L2";

/** Forms that transactions are written in. */
export type TransactionForm =
  "transactions" | "transactionsWithProofFacts" | "pendingTransactions" | "pendingHashes";

/** What a client wants to hear of, on domain values. */
export type SubscriptionOrder =
  | { readonly kind: "newHeads"; readonly firstBlock: number }
  | {
      readonly kind: "events";
      readonly firstBlock: number;
      readonly query: EventQuery;
      /** Events of blocks that are not accepted come too, and again when they are. */
      readonly preConfirmed: boolean;
    }
  | { readonly kind: "transactionStatus"; readonly hash: Felt }
  | {
      readonly kind: "transactions";
      readonly form: TransactionForm;
      readonly statuses: ReadonlySet<LiveStatus>;
      /** Empty: of anybody. */
      readonly senders: readonly Felt[];
    }
  | {
      readonly kind: "receipts";
      readonly statuses: ReadonlySet<LiveStatus>;
      readonly senders: readonly Felt[];
    };

/** One kind of order. */
export type OrderOf<K extends SubscriptionOrder["kind"]> = Extract<
  SubscriptionOrder,
  { readonly kind: K }
>;

/** A client over WebSocket, as methods see it. */
export interface Subscriber {
  /**
   * Subscribes; what is sent comes behind the answer.
   *
   * @returns the subscription's id
   * @throws {NotServedError} when the connection has too many
   */
  open(order: SubscriptionOrder): string;
  /** @returns whether the connection had such a subscription */
  close(id: string): boolean;
}
