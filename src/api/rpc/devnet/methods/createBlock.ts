import { method } from "../../method.ts";
import { devnetOf, encodeBlock } from "../devnet-context.ts";

/** devnet_createBlock. */
export const createBlock = method({
  name: "devnet_createBlock",
  family: "write",
  runsOn: "main",
  summary: "Makes a block of what was received, an empty one when that is nothing.",
  params: () => ({}),
  result: () => encodeBlock,
  errors: [],
  handler: (context) => devnetOf(context).createBlock(false),
});
