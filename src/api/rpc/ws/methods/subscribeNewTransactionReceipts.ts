import { array, type Decoder, literal } from "#base/codec/index.ts";
import { optional } from "../../method.ts";
import { subscriptionMethod } from "../context.ts";
import { asIs } from "../../methods/shared.ts";
import type { LiveStatus } from "../order.ts";
import { checkSenders, senders } from "./shared.ts";

const finalities: Decoder<readonly LiveStatus[]> = array(
  literal("PRE_CONFIRMED", "ACCEPTED_ON_L2"),
);

/**
 * JSON-RPC method `starknet_subscribeNewTransactionReceipts`: receipts as transactions are executed
 * and accepted.
 */
export const subscribeNewTransactionReceipts = subscriptionMethod({
  name: "subscribeNewTransactionReceipts",
  family: "subscription",
  runsOn: "main",
  summary: "Receipts as transactions are executed and accepted.",
  params: () => ({
    finality_status: optional(finalities, ["ACCEPTED_ON_L2"] as const),
    sender_address: optional(senders, []),
  }),
  result: () => asIs<string>(),
  answer: () => ({ type: "string" }),
  errors: ["TOO_MANY_ADDRESSES_IN_FILTER"],
  handler(context, { finality_status, sender_address }, fail) {
    checkSenders(sender_address, fail);
    return context.subscriber.open({
      kind: "receipts",
      statuses: new Set(finality_status),
      senders: sender_address,
    });
  },
});
