import {
  arrived,
  literal,
  type Reading,
  requireMembers,
  streamConvert,
  type StreamDecoder,
  streamObject,
  streamScalar,
  streamWhole,
  text,
} from "#base/codec/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import type { FeltLists } from "../felts/felt-lists.ts";
import {
  type CallDecoders,
  callDecoders,
  callOf,
  type ReadCall,
  type RemoteCall,
  streamedGas,
} from "./call.ts";
import { remoteDiff } from "./state-update.ts";

/** Main call of a transaction, or the reason why it reverted. */
export type RemoteMain =
  | { readonly kind: "call"; readonly call: RemoteCall }
  | { readonly kind: "reverted"; readonly reason: string };

/** Trace of a transaction, as reported by a node. */
export interface RemoteTrace {
  readonly type: string;
  readonly validate: RemoteCall | undefined;
  /** `execute_invocation`, `constructor_invocation` or `function_invocation`, by type. */
  readonly main: RemoteMain | undefined;
  readonly feeTransfer: RemoteCall | undefined;
  /** Optional in the specification. */
  readonly stateDiff: StateDiff | undefined;
  readonly gas: { readonly l1Gas: bigint; readonly l1DataGas: bigint; readonly l2Gas: bigint };
}

/** Estimated memory of one character of a revert reason in bytes. */
const CHARACTER_BYTES = 2;

const revertReason: StreamDecoder<string> = {
  describe: text.describe,
  *read(reader) {
    const reason = reader.decoded(text, yield* arrived(() => reader.scalar(text.describe)));
    reader.keep(reason.length * CHARACTER_BYTES);
    return reason;
  },
};

/** Decodes FUNCTION_INVOCATION, or the revert reason in its place. */
function mainDecoder({ members }: CallDecoders): StreamDecoder<RemoteMain> {
  const either = streamObject({}, { ...members, revert_reason: revertReason });
  return {
    describe: "call or revert reason",
    *read(reader): Reading<RemoteMain> {
      const { revert_reason: reason, ...read } = yield* either.read(reader);
      if (reason !== undefined) return { kind: "reverted", reason };
      requireMembers(reader, members, read);
      return { kind: "call", call: callOf(read as ReadCall) };
    },
  };
}

/**
 * Creates a decoder for TRANSACTION_TRACE.
 *
 * @param felts - shared by all felt lists of the response
 */
export function remoteTrace(felts: FeltLists): StreamDecoder<RemoteTrace> {
  const calls = callDecoders(felts);
  const main = mainDecoder(calls);
  const gas = { l1_gas: streamedGas, l1_data_gas: streamedGas, l2_gas: streamedGas };
  const members = streamObject(
    {
      type: streamScalar(literal("INVOKE", "DECLARE", "DEPLOY_ACCOUNT", "L1_HANDLER")),
      execution_resources: streamObject(gas, {}),
    },
    {
      validate_invocation: calls.call,
      execute_invocation: main,
      constructor_invocation: calls.call,
      function_invocation: main,
      fee_transfer_invocation: calls.call,
      state_diff: streamWhole(remoteDiff),
    },
  );
  return streamConvert(members, members.describe, (read) => ({
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
  }));
}
