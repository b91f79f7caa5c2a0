import type { CallFailure } from "#engine/execution/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { type ErrorEncoder, errorEncoder } from "../error-encoder.ts";

/**
 * Encodes an error of JSON-RPC 0.10, with the data shape of the specification, or with its reason
 * text.
 */
export const encodeError: ErrorEncoder = errorEncoder({
  messages: {},
  standIns: [],
  failure: encodeFailure,
});

/** Encodes CONTRACT_EXECUTION_ERROR of JSON-RPC 0.10: frames from the outermost call inwards, around the message. */
export function encodeFailure(failure: CallFailure): JsonValue {
  const { frames, message } = failure;
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
