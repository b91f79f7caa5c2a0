import { array, type Decoder, literal } from "#base/codec/index.ts";
import { optional } from "../../method.ts";
import { subscriptionMethod } from "../context.ts";
import { asIs } from "../../methods/shared.ts";
import type { LiveStatus } from "../order.ts";
import { checkSenders, senders, subscriptionsOf } from "./shared.ts";

const statuses: Decoder<readonly LiveStatus[]> = array(
  literal("RECEIVED", "CANDIDATE", "PRE_CONFIRMED", "ACCEPTED_ON_L2"),
);

/**
 * JSON-RPC method `starknet_subscribeNewTransactions`: transactions as they are received, executed
 * and accepted.
 */
export const subscribeNewTransactions = subscriptionMethod({
  name: "subscribeNewTransactions",
  family: "subscription",
  runsOn: "main",
  summary: "Transactions as they are received, executed and accepted.",
  params: (spec) => ({
    finality_status: optional(statuses, ["ACCEPTED_ON_L2"] as const),
    sender_address: optional(senders, []),
    tags: optional(subscriptionsOf(spec).tags, []),
  }),
  result: () => asIs<string>(),
  answer: () => ({ type: "string" }),
  errors: ["TOO_MANY_ADDRESSES_IN_FILTER"],
  handler(context, { finality_status, sender_address, tags }, fail) {
    checkSenders(sender_address, fail);
    return context.subscriber.open({
      kind: "transactions",
      form: tags.includes("INCLUDE_PROOF_FACTS") ? "transactionsWithProofFacts" : "transactions",
      statuses: new Set(finality_status),
      senders: sender_address,
    });
  },
});
