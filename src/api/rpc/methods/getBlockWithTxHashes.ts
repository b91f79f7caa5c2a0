import { method, required } from "../method.ts";
import { lastingBlockStatus } from "./lasting.ts";
import { blockOrFail, headOrFail } from "./shared.ts";

/** starknet_getBlockWithTxHashes. */
export const getBlockWithTxHashes = method({
  name: "getBlockWithTxHashes",
  family: "read",
  runsOn: "query",
  summary: "A block with the hashes of its transactions.",
  params: (spec) => ({ block_id: required(spec.blockId) }),
  result: (spec) => spec.blockWithHashes,
  answer: (spec) => spec.schemas.blockWithHashes,
  errors: ["BLOCK_NOT_FOUND"],
  lasting: (context, { block_id }) => lastingBlockStatus(context, block_id),
  handler(context, { block_id }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const head = headOrFail(context, block, fail);
    const hashes =
      block.kind === "pending"
        ? block.view.transactions.map(({ hash }) => hash)
        : context.chain.transactionHashes(block.number);
    return { head, hashes };
  },
});
