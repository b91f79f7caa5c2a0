import { optional } from "../../method.ts";
import { subscriptionMethod } from "../context.ts";
import { asIs } from "../../methods/shared.ts";
import { firstBlockOf, subscriptionsOf } from "./shared.ts";

/** JSON-RPC method `starknet_subscribeNewHeads`: headers of blocks as they are accepted. */
export const subscribeNewHeads = subscriptionMethod({
  name: "subscribeNewHeads",
  family: "subscription",
  runsOn: "main",
  summary: "Headers of blocks as they are accepted.",
  params: (spec) => ({
    block_id: optional(subscriptionsOf(spec).blockId, { kind: "latest" } as const),
  }),
  result: () => asIs<string>(),
  answer: () => ({ type: "string" }),
  errors: ["TOO_MANY_BLOCKS_BACK", "BLOCK_NOT_FOUND"],
  handler(context, { block_id: id }, fail) {
    const firstBlock = firstBlockOf(context, id, fail);
    return context.subscriber.open({ kind: "newHeads", firstBlock });
  },
});
