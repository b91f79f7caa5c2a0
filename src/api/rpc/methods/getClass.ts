import { method, required } from "../method.ts";
import { classAt } from "./classes.ts";
import { stateCacheKey } from "./cache-keys.ts";
import { blockOrFail } from "./shared.ts";

/** JSON-RPC method `starknet_getClass`: a class by hash, as it was declared. */
export const getClass = method({
  name: "getClass",
  family: "read",
  runsOn: "query",
  summary: "A class by hash, as it was declared.",
  params: (spec) => ({ block_id: required(spec.blockId), class_hash: required(spec.felt) }),
  result: (spec) => spec.contractClass,
  answer: (spec) => spec.schemas.contractClass,
  errors: ["BLOCK_NOT_FOUND", "CLASS_HASH_NOT_FOUND"],
  cacheKey: (context, { block_id, class_hash }) => stateCacheKey(context, block_id, class_hash),
  handler: (context, { block_id, class_hash }, fail) =>
    classAt(context, blockOrFail(context, block_id, fail), class_hash) ??
    fail("CLASS_HASH_NOT_FOUND"),
});
