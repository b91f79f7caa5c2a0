import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { stateOf } from "../block-id.ts";
import { method, required } from "../method.ts";
import { stopped } from "../stopped.ts";
import { FELTS } from "../spec/schemas/common.ts";
import { blockOrFail, infoOrFail } from "./shared.ts";

/** starknet_call. */
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
    const outcome = context.execution.call(stateOf(context, block), info, request);
    switch (outcome.kind) {
      case "ok":
        return outcome.retdata;
      case "contract_not_found":
        return fail("CONTRACT_NOT_FOUND");
      case "entry_point_not_found":
        return fail("ENTRYPOINT_NOT_FOUND");
      case "failed":
        return fail("CONTRACT_ERROR", { failure: outcome.failure });
      case "cancelled":
        return stopped();
    }
  },
});
