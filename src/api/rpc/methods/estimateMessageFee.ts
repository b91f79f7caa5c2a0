import { method, required } from "../method.ts";
import { asIs, notBuilt } from "./shared.ts";

/** starknet_estimateMessageFee. */
export const estimateMessageFee = method({
  name: "estimateMessageFee",
  family: "read",
  runsOn: "query",
  summary: "Fee of the L2 part of a message from L1.",
  params: (spec) => ({
    message: required(spec.messageFromL1),
    block_id: required(spec.blockId),
  }),
  result: () => asIs<never>(),
  errors: ["CONTRACT_NOT_FOUND", "CONTRACT_ERROR", "BLOCK_NOT_FOUND"],
  handler: () => notBuilt("estimateMessageFee"),
});
