import { required } from "../../method.ts";
import { subscriptionMethod } from "../context.ts";
import { asIs } from "../../methods/shared.ts";
import { subscriptionsOf } from "./shared.ts";

/** JSON-RPC method `starknet_unsubscribe`: ends a subscription of this connection. */
export const unsubscribe = subscriptionMethod({
  name: "unsubscribe",
  family: "subscription",
  runsOn: "main",
  summary: "Ends a subscription of this connection.",
  params: (spec) => ({ subscription_id: required(subscriptionsOf(spec).subscriptionId) }),
  result: () => asIs<boolean>(),
  answer: () => ({ type: "boolean" }),
  errors: ["INVALID_SUBSCRIPTION_ID"],
  handler: (context, { subscription_id: id }, fail) =>
    context.subscriber.close(id) || fail("INVALID_SUBSCRIPTION_ID"),
});
