import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { stateOf } from "../block-id.ts";
import { method, required } from "../method.ts";
import { FELT } from "../spec/schemas/common.ts";
import { blockOrFail } from "./shared.ts";

/** JSON-RPC method `starknet_getNonce`: nonce of a contract. */
export const getNonce = method({
  name: "getNonce",
  family: "read",
  runsOn: "main",
  summary: "Nonce of a contract.",
  params: (spec) => ({ block_id: required(spec.blockId), contract_address: required(spec.felt) }),
  result: () => (nonce: Felt) => hexFromFelt(nonce),
  answer: () => FELT,
  errors: ["BLOCK_NOT_FOUND", "CONTRACT_NOT_FOUND"],
  handler(context, { block_id, contract_address }, fail) {
    const state = stateOf(context, blockOrFail(context, block_id, fail));
    const nonce = state.nonceAt(contract_address);
    if (nonce === 0n && state.classHashAt(contract_address) === 0n) {
      return fail("CONTRACT_NOT_FOUND");
    }
    return nonce;
  },
});
