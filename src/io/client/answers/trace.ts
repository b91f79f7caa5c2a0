import {
  address,
  array,
  bigInteger,
  bool,
  convert,
  type Decoder,
  ethAddress,
  felt,
  integer,
  isJsonObject,
  literal,
  object,
  text,
} from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import { remoteDiff } from "./state-update.ts";

/** A call with its inner calls, as a node tells it. */
export interface RemoteCall {
  readonly contractAddress: Felt;
  readonly entryPointSelector: Felt;
  readonly calldata: readonly Felt[];
  readonly callerAddress: Felt;
  readonly classHash: Felt;
  readonly entryPointType: string;
  readonly callType: string;
  readonly result: readonly Felt[];
  readonly calls: readonly RemoteCall[];
  readonly events: readonly RemoteEvent[];
  readonly messages: readonly RemoteMessage[];
  readonly l1Gas: bigint;
  readonly l2Gas: bigint;
  /** Its caller handled its failure. */
  readonly isReverted: boolean;
}

/** ORDERED_EVENT. */
export interface RemoteEvent {
  readonly order: number;
  readonly keys: readonly Felt[];
  readonly data: readonly Felt[];
}

/** ORDERED_MESSAGE. */
export interface RemoteMessage {
  readonly order: number;
  readonly fromAddress: Felt;
  readonly toAddress: Felt;
  readonly payload: readonly Felt[];
}

/** The main call of a transaction, or why there is none. */
export type RemoteMain =
  | { readonly kind: "call"; readonly call: RemoteCall }
  | { readonly kind: "reverted"; readonly reason: string };

/** What happened in a transaction, as a node tells it. */
export interface RemoteTrace {
  readonly type: string;
  readonly validate: RemoteCall | undefined;
  /** `execute_invocation`, `constructor_invocation` or `function_invocation`, by type. */
  readonly main: RemoteMain | undefined;
  readonly feeTransfer: RemoteCall | undefined;
  /** The specification lets nodes leave it out. */
  readonly stateDiff: StateDiff | undefined;
  readonly gas: { readonly l1Gas: bigint; readonly l1DataGas: bigint; readonly l2Gas: bigint };
}

const MAX_GAS = (1n << 64n) - 1n;
const gas = bigInteger(0n, MAX_GAS);
const callType = literal("CALL", "LIBRARY_CALL", "DELEGATE");
const entryPointType = literal("EXTERNAL", "L1_HANDLER", "CONSTRUCTOR");

const callMembers = object({
  contract_address: address,
  entry_point_selector: felt,
  calldata: array(felt),
  caller_address: felt,
  class_hash: felt,
  entry_point_type: entryPointType,
  call_type: callType,
  result: array(felt),
  calls: array({ describe: "call", decode: (value, path) => call.decode(value, path) }),
  events: array(object({ order: integer(), keys: array(felt), data: array(felt) })),
  messages: array(
    object({
      order: integer(),
      from_address: felt,
      to_address: ethAddress,
      payload: array(felt),
    }),
  ),
  execution_resources: object({ l1_gas: gas, l2_gas: gas }),
  is_reverted: bool,
});

/** FUNCTION_INVOCATION. */
const call: Decoder<RemoteCall> = {
  describe: "call",
  decode(value, path): RemoteCall {
    const read = callMembers.decode(value, path);
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
  },
};

const revertedCall = object({ revert_reason: text });

const main: Decoder<RemoteMain> = {
  describe: "call or revert reason",
  decode: (value, path) =>
    isJsonObject(value) && Object.hasOwn(value, "revert_reason")
      ? { kind: "reverted", reason: revertedCall.decode(value, path).revert_reason }
      : { kind: "call", call: call.decode(value, path) },
};

const traceMembers = object(
  {
    type: literal("INVOKE", "DECLARE", "DEPLOY_ACCOUNT", "L1_HANDLER"),
    execution_resources: object({ l1_gas: gas, l1_data_gas: gas, l2_gas: gas }),
  },
  {
    validate_invocation: call,
    execute_invocation: main,
    constructor_invocation: call,
    function_invocation: main,
    fee_transfer_invocation: call,
    state_diff: remoteDiff,
  },
);

/** TRANSACTION_TRACE. */
export const remoteTrace: Decoder<RemoteTrace> = convert(
  traceMembers,
  traceMembers.describe,
  (read) => ({
    type: read.type,
    validate: read.validate_invocation,
    main:
      read.execute_invocation ??
      read.function_invocation ??
      (read.constructor_invocation === undefined
        ? undefined
        : { kind: "call", call: read.constructor_invocation }),
    feeTransfer: read.fee_transfer_invocation,
    stateDiff: read.state_diff,
    gas: {
      l1Gas: read.execution_resources.l1_gas,
      l1DataGas: read.execution_resources.l1_data_gas,
      l2Gas: read.execution_resources.l2_gas,
    },
  }),
);
