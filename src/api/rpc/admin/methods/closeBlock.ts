import { method } from "../../method.ts";
import { COUNT, FELT, record } from "../../spec/schemas/common.ts";
import { adminOf, encodeMadeBlock } from "../admin-context.ts";

/** appchain_closeBlock. */
export const closeBlock = method({
  name: "appchain_closeBlock",
  family: "write",
  runsOn: "main",
  summary:
    "Closes the block being built, an empty one too; answers when the block is accepted and durable.",
  params: () => ({}),
  result: () => encodeMadeBlock,
  answer: () => record({ block_number: COUNT, block_hash: FELT }),
  errors: [],
  handler: (context) => adminOf(context).closeBlock(),
});
