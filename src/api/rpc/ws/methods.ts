import type { SubscriptionMethod } from "../table.ts";
import { subscribeEvents } from "./methods/subscribeEvents.ts";
import { subscribeNewHeads } from "./methods/subscribeNewHeads.ts";
import { subscribeNewTransactionReceipts } from "./methods/subscribeNewTransactionReceipts.ts";
import { subscribeNewTransactions } from "./methods/subscribeNewTransactions.ts";
import { subscribePendingTransactions } from "./methods/subscribePendingTransactions.ts";
import { subscribeTransactionStatus } from "./methods/subscribeTransactionStatus.ts";
import { unsubscribe } from "./methods/unsubscribe.ts";

/** Additional methods of WebSocket connections, in the order of the specification. */
export const SUBSCRIPTION_METHODS = [
  subscribeNewHeads,
  subscribeEvents,
  subscribeTransactionStatus,
  subscribeNewTransactionReceipts,
  subscribeNewTransactions,
  unsubscribe,
] as const satisfies readonly SubscriptionMethod[];

/** Additional methods of WebSocket connections in version 0.8. */
export const SUBSCRIPTION_METHODS_0_8 = [
  subscribeNewHeads,
  subscribeEvents,
  subscribeTransactionStatus,
  subscribePendingTransactions,
  unsubscribe,
] as const satisfies readonly SubscriptionMethod[];
