import { required } from "../../method.ts";
import { subscriptionMethod } from "../context.ts";
import { asIs } from "../../methods/shared.ts";

/**
 * JSON-RPC method `starknet_subscribeTransactionStatus`: status of a transaction, now and on every
 * change. Also accepts transactions that have not been sent yet.
 */
export const subscribeTransactionStatus = subscriptionMethod({
  name: "subscribeTransactionStatus",
  family: "subscription",
  runsOn: "main",
  summary: "Status of a transaction, now and on every change.",
  params: (spec) => ({ transaction_hash: required(spec.felt) }),
  result: () => asIs<string>(),
  answer: () => ({ type: "string" }),
  errors: [],
  handler: (context, { transaction_hash: hash }) =>
    context.subscriber.open({ kind: "transactionStatus", hash }),
});
