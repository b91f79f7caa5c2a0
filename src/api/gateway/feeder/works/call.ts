import { calledOrFail, fail, type QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ContractCall } from "#engine/execution/index.ts";
import { headerOf } from "./accepted.ts";

/**
 * Computes the response of call_contract.
 *
 * @param at - accepted block to call on; `null` for the state after all executed transactions
 * @throws {RpcFault} BLOCK_NOT_FOUND, CONTRACT_NOT_FOUND, ENTRYPOINT_NOT_FOUND, CONTRACT_ERROR
 * @throws {NotServedError} when the call takes too long
 */
export function call(
  context: QueryContext,
  at: { readonly number: number; readonly hash: Felt } | null,
  contractCall: ContractCall,
): JsonObject {
  const { state, info } =
    at === null
      ? (context.pending() ?? fail("BLOCK_NOT_FOUND"))
      : { info: headerOf(context, at), state: context.chain.stateAt(at.number) };
  const retdata = calledOrFail(context.execution.call(state, info, contractCall), fail);
  return { result: retdata.map(hexFromFelt) };
}
