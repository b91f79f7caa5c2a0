import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { method, required } from "../method.ts";
import { FELT, record } from "../spec/schemas/common.ts";
import { acceptedOrFail, sentTransaction, SUBMISSION_ERRORS } from "./shared.ts";

const ERRORS = [
  "CLASS_ALREADY_DECLARED",
  "COMPILATION_FAILED",
  "COMPILED_CLASS_HASH_MISMATCH",
  ...SUBMISSION_ERRORS,
  "DUPLICATE_TX",
  "CONTRACT_CLASS_SIZE_IS_TOO_LARGE",
  "UNSUPPORTED_TX_VERSION",
  "UNSUPPORTED_CONTRACT_CLASS_VERSION",
  "UNEXPECTED_ERROR",
] as const;

interface Declared {
  readonly transactionHash: Felt;
  readonly classHash: Felt;
}

/**
 * JSON-RPC method `starknet_addDeclareTransaction`: submits a transaction that declares a class.
 */
export const addDeclareTransaction = method({
  name: "addDeclareTransaction",
  family: "write",
  runsOn: "admission",
  summary: "Submits a transaction that declares a class.",
  params: (spec) => ({ declare_transaction: required(spec.declare) }),
  result: () => (answer: Declared) => ({
    transaction_hash: hexFromFelt(answer.transactionHash),
    class_hash: hexFromFelt(answer.classHash),
  }),
  answer: () => record({ transaction_hash: FELT, class_hash: FELT }),
  errors: ERRORS,
  async handler(context, { declare_transaction: sent }, fail, client) {
    const declaration = sentTransaction(sent, fail);
    const outcome = await context.submit.declare(declaration, client);
    const { transactionHash, classHash } = acceptedOrFail(outcome, ERRORS, fail);
    return { transactionHash, classHash: classHash ?? 0n };
  },
});
