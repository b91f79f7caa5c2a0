import { RpcFault } from "../../errors.ts";
import {
  type ErrorEncoder,
  errorEncoder,
  type ErrorParts,
  type StandIn,
  unexpectedInstead,
} from "../error-encoder.ts";
import { encodeFailure } from "../v0_10/errors.ts";

/** Messages of this version and the older ones. */
export const MESSAGES = {
  ENTRYPOINT_NOT_FOUND: "Requested entrypoint does not exist in the contract",
} as const satisfies ErrorParts["messages"];

/** What stands for the errors that this version and the older ones do not have. */
export const STAND_INS: readonly StandIn[] = [
  {
    error: "CONTRACT_NOT_FOUND",
    methods: ["estimateFee"],
    // Only the first transaction's sender is looked for: those before it may deploy any other.
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

/** The error with the data shape that the specification gives it, or its reason text. */
export const encodeError: ErrorEncoder = errorEncoder({
  messages: MESSAGES,
  standIns: STAND_INS,
  failure: encodeFailure,
});
