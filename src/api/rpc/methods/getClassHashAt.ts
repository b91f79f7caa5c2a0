import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { stateOf } from "../block-id.ts";
import { method, required } from "../method.ts";
import { FELT } from "../spec/schemas/common.ts";
import { blockOrFail } from "./shared.ts";

/** JSON-RPC method `starknet_getClassHashAt`: hash of the class of a contract. */
export const getClassHashAt = method({
  name: "getClassHashAt",
  family: "read",
  runsOn: "main",
  summary: "Hash of the class of a contract.",
  params: (spec) => ({ block_id: required(spec.blockId), contract_address: required(spec.felt) }),
  result: () => (hash: Felt) => hexFromFelt(hash),
  answer: () => FELT,
  errors: ["BLOCK_NOT_FOUND", "CONTRACT_NOT_FOUND"],
  handler(context, { block_id, contract_address }, fail) {
    const state = stateOf(context, blockOrFail(context, block_id, fail));
    const hash = state.classHashAt(contract_address);
    return hash === 0n ? fail("CONTRACT_NOT_FOUND") : hash;
  },
});
