import type { CallFailure } from "#engine/execution/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  type ExecutionFailure,
  RPC_ERRORS,
  type RpcErrorFacts,
  type RpcErrorName,
  type RpcFault,
} from "../../errors.ts";
import type { RpcErrorObject } from "../version.ts";

/** The error with the data shape that the specification gives it, or its reason text. */
export function encodeError(fault: RpcFault): RpcErrorObject {
  const { code, message } = RPC_ERRORS[fault.errorName];
  const data = dataOf(fault);
  return data === undefined ? { code, message } : { code, message, data };
}

/** Data of the errors that carry more than a reason text. */
const DATA: { readonly [N in keyof RpcErrorFacts]: (facts: RpcErrorFacts[N]) => JsonValue } = {
  CONTRACT_ERROR: ({ failure }) => ({ revert_error: encodeFailure(failure) }),
  TRANSACTION_EXECUTION_ERROR: ({ transactionIndex, failure }) => ({
    transaction_index: transactionIndex,
    execution_error: encodeFailure(failure),
  }),
  COMPILATION_ERROR: ({ compilationError }) => ({ compilation_error: compilationError }),
  NO_TRACE_AVAILABLE: ({ status }) => ({ status }),
};

function dataOf({ errorName, facts }: RpcFault): JsonValue | undefined {
  if (facts === undefined || typeof facts === "string") return facts;
  const encode = (DATA as Readonly<Partial<Record<RpcErrorName, (facts: unknown) => JsonValue>>>)[
    errorName
  ];
  return encode?.(facts);
}

/** CONTRACT_EXECUTION_ERROR: frames from the outermost call inwards, around the message. */
function encodeFailure(failure: ExecutionFailure): JsonValue {
  return typeof failure === "string" ? failure : encodeFrames(failure);
}

function encodeFrames({ frames, message }: CallFailure): JsonValue {
  return frames.reduceRight<JsonValue>(
    (error, frame) => ({
      contract_address: hexFromFelt(frame.contractAddress),
      class_hash: hexFromFelt(frame.classHash),
      selector: hexFromFelt(frame.selector),
      error,
    }),
    message,
  );
}
