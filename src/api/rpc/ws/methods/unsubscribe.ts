import { method, required } from "../../method.ts";
import { asIs } from "../../methods/shared.ts";
import { subscriberOf, subscriptionsOf } from "./shared.ts";

/** starknet_unsubscribe. */
export const unsubscribe = method({
  name: "unsubscribe",
  family: "subscription",
  runsOn: "main",
  summary: "Ends a subscription of this connection.",
  params: (spec) => ({ subscription_id: required(subscriptionsOf(spec).subscriptionId) }),
  result: () => asIs<boolean>(),
  answer: () => ({ type: "boolean" }),
  errors: ["INVALID_SUBSCRIPTION_ID"],
  handler: (context, { subscription_id: id }, fail) =>
    subscriberOf(context).close(id) || fail("INVALID_SUBSCRIPTION_ID"),
});
