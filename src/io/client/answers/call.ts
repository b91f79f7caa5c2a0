import {
  address,
  bigInteger,
  bool,
  ethAddress,
  felt,
  integer,
  literal,
  streamArray,
  streamConvert,
  type StreamDecoder,
  type Streamed,
  streamObject,
  streamScalar,
} from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { FeltLists, RemoteFelts } from "../felts/felt-lists.ts";

/** Call with its inner calls, as reported by a node. */
export interface RemoteCall {
  readonly contractAddress: Felt;
  readonly entryPointSelector: Felt;
  readonly calldata: RemoteFelts;
  readonly callerAddress: Felt;
  readonly classHash: Felt;
  readonly entryPointType: string;
  readonly callType: string;
  readonly result: RemoteFelts;
  readonly calls: readonly RemoteCall[];
  readonly events: readonly RemoteEvent[];
  readonly messages: readonly RemoteMessage[];
  readonly l1Gas: bigint;
  readonly l2Gas: bigint;
  /** Whether it failed and its caller handled the failure. */
  readonly isReverted: boolean;
}

/** ORDERED_EVENT. */
export interface RemoteEvent {
  readonly order: number;
  readonly keys: RemoteFelts;
  readonly data: RemoteFelts;
}

/** ORDERED_MESSAGE. */
export interface RemoteMessage {
  readonly order: number;
  readonly fromAddress: Felt;
  readonly toAddress: Felt;
  readonly payload: RemoteFelts;
}

/** Stream decoder of an amount of gas, below 2^64, that a call or transaction used. */
export const streamedGas: StreamDecoder<bigint> = streamScalar(bigInteger(0n, (1n << 64n) - 1n));

const streamedFelt = streamScalar(felt);
const order = streamScalar(integer());

/** Estimated memory of one decoded value in bytes, without its lists. */
const CALL_BYTES = 800;
const EVENT_BYTES = 160;
const MESSAGE_BYTES = 320;

/** Decoders of the members of FUNCTION_INVOCATION. */
export type CallMembers = ReturnType<typeof membersOf>;

/** Decoded members of FUNCTION_INVOCATION. */
export type ReadCall = { readonly [K in keyof CallMembers]: Streamed<CallMembers[K]> };

/** Decoders of FUNCTION_INVOCATION in one response: of its members, and of the whole call. */
export interface CallDecoders {
  readonly members: CallMembers;
  readonly call: StreamDecoder<RemoteCall>;
}

/**
 * Creates the decoders of the calls in one response.
 *
 * @param felts - shared by all felt lists of the response
 */
export function callDecoders(felts: FeltLists): CallDecoders {
  const inner: StreamDecoder<RemoteCall> = {
    describe: "call",
    read: (reader) => call.read(reader),
  };
  const members = membersOf(felts, inner);
  const call = streamConvert(streamObject(members, {}), "call", callOf);
  return { members, call };
}

/** Converts decoded members to a call. */
export function callOf(read: ReadCall): RemoteCall {
  return {
    contractAddress: read.contract_address,
    entryPointSelector: read.entry_point_selector,
    calldata: read.calldata,
    callerAddress: read.caller_address,
    classHash: read.class_hash,
    entryPointType: read.entry_point_type,
    callType: read.call_type,
    result: read.result,
    calls: read.calls,
    events: read.events,
    messages: read.messages.map((message) => ({
      order: message.order,
      fromAddress: message.from_address,
      toAddress: message.to_address,
      payload: message.payload,
    })),
    l1Gas: read.execution_resources.l1_gas,
    l2Gas: read.execution_resources.l2_gas,
    isReverted: read.is_reverted,
  };
}

function membersOf(felts: FeltLists, inner: StreamDecoder<RemoteCall>) {
  const event = streamObject({ order, keys: felts, data: felts }, {});
  const message = streamObject(
    { order, from_address: streamedFelt, to_address: streamScalar(ethAddress), payload: felts },
    {},
  );
  return {
    contract_address: streamScalar(address),
    entry_point_selector: streamedFelt,
    calldata: felts,
    caller_address: streamedFelt,
    class_hash: streamedFelt,
    entry_point_type: streamScalar(literal("EXTERNAL", "L1_HANDLER", "CONSTRUCTOR")),
    call_type: streamScalar(literal("CALL", "LIBRARY_CALL", "DELEGATE")),
    result: felts,
    calls: streamArray(inner, CALL_BYTES),
    events: streamArray(event, EVENT_BYTES),
    messages: streamArray(message, MESSAGE_BYTES),
    execution_resources: streamObject({ l1_gas: streamedGas, l2_gas: streamedGas }, {}),
    is_reverted: streamScalar(bool),
  };
}
