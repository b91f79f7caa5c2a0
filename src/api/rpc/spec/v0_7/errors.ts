import { RpcFault } from "../../errors.ts";
import { type ErrorEncoder, errorEncoder } from "../error-encoder.ts";
import { MESSAGES, STAND_INS } from "../v0_8/errors.ts";

/**
 * Encodes an error of JSON-RPC 0.7, with the data shape of the specification, or with its reason
 * text.
 */
export const encodeError: ErrorEncoder = errorEncoder({
  messages: {
    ...MESSAGES,
    INSUFFICIENT_RESOURCES_FOR_VALIDATE:
      "Max fee is smaller than the minimal transaction cost (validation plus fee transfer)",
    INSUFFICIENT_ACCOUNT_BALANCE: "Account balance is smaller than the transaction's max_fee",
  },
  standIns: [
    ...STAND_INS,
    {
      error: "ENTRYPOINT_NOT_FOUND",
      instead: (reason) => new RpcFault("CONTRACT_ERROR", { failure: reason }),
    },
  ],
  failure: ({ text }) => text,
});
