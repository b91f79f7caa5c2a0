import { bool } from "#base/codec/index.ts";
import { optional } from "../../method.ts";
import { subscriptionMethod } from "../context.ts";
import { asIs } from "../../methods/shared.ts";
import { checkSenders, senders } from "./shared.ts";

/**
 * JSON-RPC method `starknet_subscribePendingTransactions`, of version 0.8: transactions as they are
 * added to the pending block.
 */
export const subscribePendingTransactions = subscriptionMethod({
  name: "subscribePendingTransactions",
  family: "subscription",
  runsOn: "main",
  summary: "Transactions as they are added to the pending block.",
  params: () => ({
    transaction_details: optional(bool, false),
    sender_address: optional(senders, []),
  }),
  result: () => asIs<string>(),
  answer: () => ({ type: "string" }),
  errors: ["TOO_MANY_ADDRESSES_IN_FILTER"],
  handler(context, { transaction_details: details, sender_address }, fail) {
    checkSenders(sender_address, fail);
    return context.subscriber.open({
      kind: "transactions",
      form: details ? "pendingTransactions" : "pendingHashes",
      statuses: new Set(["PRE_CONFIRMED"]),
      senders: sender_address,
    });
  },
});
