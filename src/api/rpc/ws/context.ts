import type { MainContext } from "../context.ts";
import { type DeclareMethod, methodsWith } from "../method.ts";
import type { Subscriber } from "./order.ts";

/** What methods for subscriptions work with: the connection that asks, too. */
export interface SubscriptionContext extends MainContext {
  readonly subscriber: Subscriber;
}

/** Declares a method that only WebSocket connections have. */
export const subscriptionMethod: DeclareMethod<SubscriptionContext> =
  methodsWith<SubscriptionContext>();
