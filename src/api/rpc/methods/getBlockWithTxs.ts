import { method, optional, required } from "../method.ts";
import { blockStatusCacheKey } from "./cache-keys.ts";
import { blockOrFail, headOrFail } from "./shared.ts";

/** JSON-RPC method `starknet_getBlockWithTxs`: a block with its transactions. */
export const getBlockWithTxs = method({
  name: "getBlockWithTxs",
  family: "read",
  runsOn: "query",
  summary: "A block with its transactions.",
  params: (spec) => ({
    block_id: required(spec.blockId),
    response_flags: optional(spec.transactionFlags, []),
  }),
  result: (spec) => spec.blockWithTransactions,
  answer: (spec) => spec.schemas.blockWithTransactions,
  errors: ["BLOCK_NOT_FOUND"],
  cacheKey(context, { block_id, response_flags }) {
    const block = blockStatusCacheKey(context, block_id);
    return block && `${block} ${response_flags.includes("INCLUDE_PROOF_FACTS")}`;
  },
  handler(context, { block_id, response_flags }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const head = headOrFail(context, block, fail);
    const transactions =
      block.kind === "pending" ? block.view.transactions : context.chain.transactions(block.number);
    const options = { proofFacts: response_flags.includes("INCLUDE_PROOF_FACTS") };
    return { head, transactions, options };
  },
});
