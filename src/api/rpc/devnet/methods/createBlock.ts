import { devnetMethod, encodeBlock } from "../devnet-context.ts";

/** devnet_createBlock. */
export const createBlock = devnetMethod({
  name: "devnet_createBlock",
  family: "write",
  runsOn: "main",
  summary: "Makes a block of what was received, an empty one when that is nothing.",
  params: () => ({}),
  result: () => encodeBlock,
  errors: [],
  handler: (context) => context.devnet.createBlock(false),
});
