import type { JsonObject, JsonSourceObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  type CallGas,
  type CallGasTable,
  type CallInfo,
  callTypeOf,
} from "#engine/execution/index.ts";
import { hexes, type TraceLists } from "./trace-lists.ts";

/** Differences between versions in the calls of a trace. */
export interface CallShape {
  /** Members of a call that only some versions have, including `execution_resources`. */
  readonly callMembers: (call: CallInfo, gas: CallGas) => JsonObject;
}

/** Encodes a FUNCTION_INVOCATION; `gas` must contain the call and its inner calls. */
export type InvocationEncoder = (
  call: CallInfo,
  gas: CallGasTable,
  lists: TraceLists,
) => JsonSourceObject;

const NO_GAS: CallGas = { l1Gas: 0n, l2Gas: 0n };

/** Creates the call encoder of a version. */
export function invocationEncoder({ callMembers }: CallShape): InvocationEncoder {
  return function encode(call, gas, lists): JsonSourceObject {
    return {
      contract_address: hexFromFelt(call.contractAddress),
      entry_point_selector: hexFromFelt(call.entryPointSelector),
      calldata: lists.felts(call.calldata),
      caller_address: hexFromFelt(call.callerAddress),
      class_hash: hexFromFelt(call.classHash),
      entry_point_type: call.entryPointType,
      call_type: callTypeOf(call),
      result: lists.felts(call.result),
      calls: lists.of(call.innerCalls, (inner) => encode(inner, gas, lists)),
      events: call.events.map(({ order, keys, data }) => ({
        order,
        keys: hexes(keys),
        data: hexes(data),
      })),
      messages: call.messages.map(({ order, toAddress, payload }) => ({
        order,
        from_address: hexFromFelt(call.contractAddress),
        to_address: hexFromFelt(toAddress),
        payload: hexes(payload),
      })),
      ...callMembers(call, gas.get(call) ?? NO_GAS),
    };
  };
}
