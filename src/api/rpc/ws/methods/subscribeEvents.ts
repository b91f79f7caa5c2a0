import { array, felt } from "#base/codec/index.ts";
import { optional } from "../../method.ts";
import { subscriptionMethod } from "../context.ts";
import { asIs } from "../../methods/shared.ts";
import { checkKeys, firstBlockOf, subscriptionsOf } from "./shared.ts";

const keyPositions = array(array(felt));

/** JSON-RPC method `starknet_subscribeEvents`: events that match a filter, as they occur. */
export const subscribeEvents = subscriptionMethod({
  name: "subscribeEvents",
  family: "subscription",
  runsOn: "main",
  summary: "Events that match a filter, as they occur.",
  params: (spec) => {
    const { fromAddress, blockId, eventFinality } = subscriptionsOf(spec);
    return {
      from_address: optional(fromAddress, []),
      keys: optional(keyPositions, []),
      block_id: optional(blockId, { kind: "latest" } as const),
      finality_status: optional(eventFinality, "ACCEPTED_ON_L2"),
    };
  },
  result: () => asIs<string>(),
  answer: () => ({ type: "string" }),
  errors: ["TOO_MANY_KEYS_IN_FILTER", "TOO_MANY_BLOCKS_BACK", "BLOCK_NOT_FOUND"],
  handler(context, { from_address: addresses, keys, block_id: id, finality_status }, fail) {
    checkKeys(context, keys, fail);
    return context.subscriber.open({
      kind: "events",
      firstBlock: firstBlockOf(context, id, fail),
      query: { addresses, keys },
      preConfirmed: finality_status === "PRE_CONFIRMED",
    });
  },
});
