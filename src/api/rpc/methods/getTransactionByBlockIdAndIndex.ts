import { lookupNumber } from "#base/codec/index.ts";
import { method, optional, required } from "../method.ts";
import { blockOrFail } from "./shared.ts";

/**
 * JSON-RPC method `starknet_getTransactionByBlockIdAndIndex`: the transaction at a position of a
 * block.
 */
export const getTransactionByBlockIdAndIndex = method({
  name: "getTransactionByBlockIdAndIndex",
  family: "read",
  runsOn: "main",
  summary: "The transaction at a position of a block.",
  params: (spec) => ({
    block_id: required(spec.blockId),
    index: required(lookupNumber),
    response_flags: optional(spec.transactionFlags, []),
  }),
  result: (spec) => spec.transaction,
  answer: (spec) => spec.schemas.transaction,
  errors: ["BLOCK_NOT_FOUND", "INVALID_TXN_INDEX"],
  handler(context, { block_id, index, response_flags }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const transaction =
      block.kind === "pending"
        ? block.view.transactions[index]
        : context.chain.transactionAt({ blockNumber: block.number, index });
    return {
      transaction: transaction ?? fail("INVALID_TXN_INDEX"),
      options: { proofFacts: response_flags.includes("INCLUDE_PROOF_FACTS") },
    };
  },
});
