import { method } from "../method.ts";

/** JSON-RPC method `starknet_blockHashAndNumber`: hash and number of the newest accepted block. */
export const blockHashAndNumber = method({
  name: "blockHashAndNumber",
  family: "read",
  runsOn: "main",
  summary: "Hash and number of the newest accepted block.",
  params: () => ({}),
  result: (spec) => spec.hashAndNumber,
  answer: (spec) => spec.schemas.hashAndNumber,
  errors: ["NO_BLOCKS"],
  handler: ({ chain }, _, fail) =>
    chain.header(chain.latestNumber() ?? fail("NO_BLOCKS")) ?? fail("NO_BLOCKS"),
});
