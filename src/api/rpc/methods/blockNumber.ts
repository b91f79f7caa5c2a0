import { method } from "../method.ts";
import { COUNT } from "../spec/schemas/common.ts";
import { asIs } from "./shared.ts";

/** JSON-RPC method `starknet_blockNumber`: number of the newest accepted block. */
export const blockNumber = method({
  name: "blockNumber",
  family: "read",
  runsOn: "main",
  summary: "Number of the newest accepted block.",
  params: () => ({}),
  result: () => asIs<number>(),
  answer: () => COUNT,
  errors: ["NO_BLOCKS"],
  handler: ({ chain }, _, fail) => chain.latestNumber() ?? fail("NO_BLOCKS"),
});
