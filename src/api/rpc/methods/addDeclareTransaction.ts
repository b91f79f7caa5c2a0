import { method, required } from "../method.ts";
import { asIs, notBuilt, sentTransaction, SUBMISSION_ERRORS } from "./shared.ts";

/** starknet_addDeclareTransaction. */
export const addDeclareTransaction = method({
  name: "addDeclareTransaction",
  family: "write",
  runsOn: "admission",
  summary: "Submits a transaction that declares a class.",
  params: (spec) => ({ declare_transaction: required(spec.declare) }),
  result: () => asIs<never>(),
  errors: [
    "CLASS_ALREADY_DECLARED",
    "COMPILATION_FAILED",
    "COMPILED_CLASS_HASH_MISMATCH",
    ...SUBMISSION_ERRORS,
    "DUPLICATE_TX",
    "CONTRACT_CLASS_SIZE_IS_TOO_LARGE",
    "UNSUPPORTED_TX_VERSION",
    "UNSUPPORTED_CONTRACT_CLASS_VERSION",
    "UNEXPECTED_ERROR",
  ],
  handler(_, { declare_transaction: sent }, fail) {
    sentTransaction(sent, fail);
    return notBuilt("addDeclareTransaction");
  },
});
