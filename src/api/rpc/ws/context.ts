import type { MainContext } from "../context.ts";
import { type DeclareMethod, methodsWith } from "../method.ts";
import type { Subscriber } from "./order.ts";

/** Context of subscription methods; includes the connection. */
export interface SubscriptionContext extends MainContext {
  readonly subscriber: Subscriber;
}

/** Declares a method that only WebSocket connections have. */
export const subscriptionMethod: DeclareMethod<SubscriptionContext> =
  methodsWith<SubscriptionContext>();
