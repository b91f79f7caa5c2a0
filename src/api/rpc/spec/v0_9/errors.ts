import { RpcFault } from "../../errors.ts";
import {
  type ErrorEncoder,
  errorEncoder,
  type ErrorParts,
  type StandIn,
  unexpectedInstead,
} from "../error-encoder.ts";
import { encodeFailure } from "../v0_10/errors.ts";

/** Error messages that JSON-RPC 0.9 and older spell differently from 0.10, by error name. */
export const MESSAGES = {
  ENTRYPOINT_NOT_FOUND: "Requested entrypoint does not exist in the contract",
} as const satisfies ErrorParts["messages"];

/** Replacements for errors that JSON-RPC 0.9 and older do not define. */
export const STAND_INS: readonly StandIn[] = [
  {
    error: "CONTRACT_NOT_FOUND",
    methods: ["estimateFee"],
    // Only the sender of the first transaction is checked: later senders may be deployed by earlier
    // transactions.
    instead: (reason) =>
      new RpcFault("TRANSACTION_EXECUTION_ERROR", { transactionIndex: 0, failure: reason }),
  },
  {
    error: "CONTRACT_NOT_FOUND",
    methods: ["estimateMessageFee"],
    instead: (reason) => new RpcFault("CONTRACT_ERROR", { failure: reason }),
  },
  unexpectedInstead("INVALID_PROOF"),
];

/**
 * Encodes an error of JSON-RPC 0.9, with the data shape of the specification, or with its reason
 * text.
 */
export const encodeError: ErrorEncoder = errorEncoder({
  messages: MESSAGES,
  standIns: STAND_INS,
  failure: encodeFailure,
});
