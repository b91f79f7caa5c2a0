import type { CallFailure } from "#engine/execution/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  type ExecutionFailure,
  RPC_ERRORS,
  type RpcErrorFacts,
  type RpcFault,
} from "../../errors.ts";
import type { RpcErrorObject } from "../version.ts";

/** The error with the data shape that the specification gives it, or its reason text. */
export function encodeError(fault: RpcFault): RpcErrorObject {
  const { code, message } = RPC_ERRORS[fault.errorName];
  const data = dataOf(fault);
  return data === undefined ? { code, message } : { code, message, data };
}

function dataOf({ errorName, facts }: RpcFault): JsonValue | undefined {
  switch (errorName) {
    case "CONTRACT_ERROR":
      return {
        revert_error: encodeFailure((facts as RpcErrorFacts["CONTRACT_ERROR"]).failure),
      };
    case "TRANSACTION_EXECUTION_ERROR": {
      const { transactionIndex, failure } = facts as RpcErrorFacts["TRANSACTION_EXECUTION_ERROR"];
      return { transaction_index: transactionIndex, execution_error: encodeFailure(failure) };
    }
    case "NO_TRACE_AVAILABLE":
      return { status: (facts as RpcErrorFacts["NO_TRACE_AVAILABLE"]).status };
    default:
      return typeof facts === "string" ? facts : undefined;
  }
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
