import { COUNT, FELT, record } from "../../spec/schemas/common.ts";
import { adminMethod, encodeMadeBlock } from "../admin-context.ts";

/**
 * JSON-RPC method `appchain_closeBlock`: closes the block being built, even if empty; returns when
 * the block is accepted and durable.
 */
export const closeBlock = adminMethod({
  name: "appchain_closeBlock",
  family: "write",
  runsOn: "main",
  summary:
    "Closes the block being built, even if empty; returns when the block is accepted and durable.",
  params: () => ({}),
  result: () => encodeMadeBlock,
  answer: () => record({ block_number: COUNT, block_hash: FELT }),
  errors: [],
  handler: (context) => context.admin.closeBlock(),
});
