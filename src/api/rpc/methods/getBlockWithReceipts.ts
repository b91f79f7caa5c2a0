import { method, optional, required } from "../method.ts";
import { blockStatusCacheKey } from "./cache-keys.ts";
import { blockOrFail, headOrFail } from "./shared.ts";

/**
 * JSON-RPC method `starknet_getBlockWithReceipts`: a block with its transactions and their
 * receipts.
 */
export const getBlockWithReceipts = method({
  name: "getBlockWithReceipts",
  family: "read",
  runsOn: "query",
  summary: "A block with its transactions and their receipts.",
  params: (spec) => ({
    block_id: required(spec.blockId),
    response_flags: optional(spec.transactionFlags, []),
  }),
  result: (spec) => spec.blockWithReceipts,
  answer: (spec) => spec.schemas.blockWithReceipts,
  errors: ["BLOCK_NOT_FOUND"],
  cacheKey(context, { block_id, response_flags }) {
    const block = blockStatusCacheKey(context, block_id);
    return block && `${block} ${response_flags.includes("INCLUDE_PROOF_FACTS")}`;
  },
  handler(context, { block_id, response_flags }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const head = headOrFail(context, block, fail);
    const { transactions, receipts } =
      block.kind === "pending"
        ? block.view
        : {
            transactions: context.chain.transactions(block.number),
            receipts: context.chain.receipts(block.number),
          };
    const options = { proofFacts: response_flags.includes("INCLUDE_PROOF_FACTS") };
    return { head, transactions, receipts, options };
  },
});
