import { calledOrFail, fail, type QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ContractCall } from "#engine/execution/index.ts";
import { headerOf } from "./accepted.ts";

/**
 * The answer to call_contract.
 *
 * @param at - the accepted block whose state is called on; `null`: what all executed transactions left
 * @throws {RpcFault} BLOCK_NOT_FOUND, CONTRACT_NOT_FOUND, ENTRYPOINT_NOT_FOUND, CONTRACT_ERROR
 * @throws {NotServedError} when the call takes too long
 */
export function call(
  context: QueryContext,
  at: { readonly number: number; readonly hash: Felt } | null,
  asked: ContractCall,
): JsonObject {
  const { state, info } =
    at === null
      ? (context.pending() ?? fail("BLOCK_NOT_FOUND"))
      : { info: headerOf(context, at), state: context.chain.stateAt(at.number) };
  const retdata = calledOrFail(context.execution.call(state, info, asked), fail);
  return { result: retdata.map(hexFromFelt) };
}
