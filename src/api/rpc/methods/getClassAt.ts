import { stateOf } from "../block-id.ts";
import { method, required } from "../method.ts";
import { classAt } from "./classes.ts";
import { stateCacheKey } from "./cache-keys.ts";
import { blockOrFail } from "./shared.ts";

/** JSON-RPC method `starknet_getClassAt`: the class of a contract, as it was declared. */
export const getClassAt = method({
  name: "getClassAt",
  family: "read",
  runsOn: "query",
  summary: "The class of a contract, as it was declared.",
  params: (spec) => ({ block_id: required(spec.blockId), contract_address: required(spec.felt) }),
  result: (spec) => spec.contractClass,
  answer: (spec) => spec.schemas.contractClass,
  errors: ["BLOCK_NOT_FOUND", "CONTRACT_NOT_FOUND"],
  cacheKey: (context, { block_id, contract_address }) =>
    stateCacheKey(context, block_id, contract_address),
  handler(context, { block_id, contract_address }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const classHash = stateOf(context, block).classHashAt(contract_address);
    if (classHash === 0n) return fail("CONTRACT_NOT_FOUND");
    return classAt(context, block, classHash) ?? fail("CONTRACT_NOT_FOUND");
  },
});
