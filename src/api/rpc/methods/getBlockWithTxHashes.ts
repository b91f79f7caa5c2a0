import { method, required } from "../method.ts";
import { blockStatusCacheKey } from "./cache-keys.ts";
import { blockOrFail, headOrFail } from "./shared.ts";

/** JSON-RPC method `starknet_getBlockWithTxHashes`: a block with the hashes of its transactions. */
export const getBlockWithTxHashes = method({
  name: "getBlockWithTxHashes",
  family: "read",
  runsOn: "query",
  summary: "A block with the hashes of its transactions.",
  params: (spec) => ({ block_id: required(spec.blockId) }),
  result: (spec) => spec.blockWithHashes,
  answer: (spec) => spec.schemas.blockWithHashes,
  errors: ["BLOCK_NOT_FOUND"],
  cacheKey: (context, { block_id }) => blockStatusCacheKey(context, block_id),
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
