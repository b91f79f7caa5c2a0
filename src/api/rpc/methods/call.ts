import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { stateOf } from "../block-id.ts";
import { calledOrFail } from "../called.ts";
import { method, required } from "../method.ts";
import { FELTS } from "../spec/schemas/common.ts";
import { blockOrFail, infoOrFail } from "./shared.ts";

/**
 * JSON-RPC method `starknet_call`: calls a function of a contract without a transaction; changes
 * nothing.
 */
export const call = method({
  name: "call",
  family: "read",
  runsOn: "query",
  summary: "Calls a function of a contract without a transaction; changes nothing.",
  params: (spec) => ({
    request: required(spec.functionCall),
    block_id: required(spec.blockId),
  }),
  result: () => (retdata: readonly Felt[]) => retdata.map(hexFromFelt),
  answer: () => FELTS,
  errors: ["CONTRACT_NOT_FOUND", "ENTRYPOINT_NOT_FOUND", "CONTRACT_ERROR", "BLOCK_NOT_FOUND"],
  handler(context, { request, block_id }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const info = infoOrFail(context, block, fail);
    return calledOrFail(context.execution.call(stateOf(context, block), info, request), fail);
  },
});
