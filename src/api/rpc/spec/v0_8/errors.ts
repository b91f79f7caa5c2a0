import { RpcFault } from "../../errors.ts";
import {
  type ErrorEncoder,
  errorEncoder,
  type ErrorParts,
  type StandIn,
  unexpectedInstead,
} from "../error-encoder.ts";
import { encodeFailure } from "../v0_10/errors.ts";
import { MESSAGES as NEWER_MESSAGES, STAND_INS as NEWER_STAND_INS } from "../v0_9/errors.ts";

/** Error messages that 0.8 and 0.7 spell differently from 0.10, by error name. */
export const MESSAGES = {
  ...NEWER_MESSAGES,
  CONTRACT_CLASS_SIZE_IS_TOO_LARGE: "Contract class size it too large",
  NON_ACCOUNT: "Sender address in not an account contract",
} as const satisfies ErrorParts["messages"];

/** Replacements for errors that JSON-RPC 0.8 and older do not define. */
export const STAND_INS: readonly StandIn[] = [
  ...NEWER_STAND_INS,
  {
    error: "FEE_BELOW_MINIMUM",
    instead: (reason) => new RpcFault("INSUFFICIENT_RESOURCES_FOR_VALIDATE", reason),
  },
  unexpectedInstead("REPLACEMENT_TRANSACTION_UNDERPRICED"),
];

/**
 * Encodes an error of JSON-RPC 0.8, with the data shape of the specification, or with its reason
 * text.
 */
export const encodeError: ErrorEncoder = errorEncoder({
  messages: MESSAGES,
  standIns: STAND_INS,
  failure: encodeFailure,
});
