import type { CallFailure } from "#engine/execution/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import {
  type ExecutionFailure,
  RPC_ERRORS,
  type RpcErrorData,
  type RpcErrorName,
  RpcFault,
} from "../errors.ts";
import type { SpecVersion } from "./version.ts";

/** Encodes an error of a method. */
export type ErrorEncoder = SpecVersion["error"];

/** Error that a version does not define, and the error that it gets instead. */
export interface StandIn {
  readonly error: RpcErrorName;
  /** Methods, without prefix, that lack the error; `undefined` if all do. */
  readonly methods?: readonly string[];
  /** @param reason - text of the original error's data, or its message */
  readonly instead: (reason: string) => RpcFault;
}

/** Differences between versions in their errors. */
export interface ErrorParts {
  /** Messages that differ from the newest version. */
  readonly messages: Readonly<Partial<Record<RpcErrorName, string>>>;
  /** The first match applies. */
  readonly standIns: readonly StandIn[];
  /** Encodes a failed execution: as CONTRACT_EXECUTION_ERROR, or as text. */
  readonly failure: (failure: CallFailure) => JsonValue;
}

/** Replaces an error by an UNEXPECTED_ERROR that names it. */
export function unexpectedInstead(error: RpcErrorName): StandIn {
  const { message } = RPC_ERRORS[error];
  return {
    error,
    instead: (reason) =>
      new RpcFault("UNEXPECTED_ERROR", reason === message ? message : `${message}: ${reason}`),
  };
}

/**
 * Creates the error encoder of a version: each error with the data shape that the version defines, or with
 * its reason text.
 */
export function errorEncoder(parts: ErrorParts): ErrorEncoder {
  const encoders = dataEncoders(parts.failure);
  return (fault, method) => {
    const shown = replaceError(parts.standIns, fault, method);
    const { errorName, data } = shown;
    const { code, message } = RPC_ERRORS[errorName];
    const text = parts.messages[errorName] ?? message;
    if (data === undefined) return { code, message: text };
    const encoded = typeof data === "string" ? data : encoders[errorName]?.(data);
    return encoded === undefined ? { code, message: text } : { code, message: text, data: encoded };
  };
}

function replaceError(standIns: readonly StandIn[], fault: RpcFault, method: string): RpcFault {
  const { errorName, data } = fault;
  const standIn = standIns.find(
    ({ error, methods }) => error === errorName && methods?.includes(method) !== false,
  );
  if (standIn === undefined) return fault;
  return standIn.instead(typeof data === "string" ? data : RPC_ERRORS[errorName].message);
}

type DataEncoders = Readonly<Partial<Record<RpcErrorName, (data: unknown) => JsonValue>>>;

/** Creates the encoders of errors whose data is more than a reason text. */
function dataEncoders(encodeCallFailure: ErrorParts["failure"]): DataEncoders {
  const failureOf = (failure: ExecutionFailure): JsonValue =>
    typeof failure === "string" ? failure : encodeCallFailure(failure);
  const encoders: { readonly [N in keyof RpcErrorData]: (data: RpcErrorData[N]) => JsonValue } = {
    CONTRACT_ERROR: ({ failure }) => ({ revert_error: failureOf(failure) }),
    TRANSACTION_EXECUTION_ERROR: ({ transactionIndex, failure }) => ({
      transaction_index: transactionIndex,
      execution_error: failureOf(failure),
    }),
    COMPILATION_ERROR: ({ compilationError }) => ({ compilation_error: compilationError }),
    NO_TRACE_AVAILABLE: ({ status }) => ({ status }),
  };
  return encoders as DataEncoders;
}
