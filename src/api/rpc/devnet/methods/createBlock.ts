import { devnetMethod, encodeBlock } from "../devnet-context.ts";

/**
 * JSON-RPC method `devnet_createBlock`: creates a block from the received transactions, an empty
 * one too.
 */
export const createBlock = devnetMethod({
  name: "devnet_createBlock",
  family: "write",
  runsOn: "main",
  summary: "Creates a block from the received transactions, an empty one too.",
  params: () => ({}),
  result: () => encodeBlock,
  errors: [],
  handler: (context) => context.devnet.createBlock(false),
});
