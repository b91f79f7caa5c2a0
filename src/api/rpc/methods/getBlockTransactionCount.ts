import { method, required } from "../method.ts";
import { COUNT } from "../spec/schemas/common.ts";
import { asIs, blockOrFail } from "./shared.ts";

/** JSON-RPC method `starknet_getBlockTransactionCount`: number of transactions in a block. */
export const getBlockTransactionCount = method({
  name: "getBlockTransactionCount",
  family: "read",
  runsOn: "main",
  summary: "Number of transactions in a block.",
  params: (spec) => ({ block_id: required(spec.blockId) }),
  result: () => asIs<number>(),
  answer: () => COUNT,
  errors: ["BLOCK_NOT_FOUND"],
  handler(context, { block_id }, fail) {
    const block = blockOrFail(context, block_id, fail);
    if (block.kind === "pending") return block.view.transactions.length;
    return context.chain.header(block.number)?.transactionCount ?? fail("BLOCK_NOT_FOUND");
  },
});
