import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { method, required } from "../method.ts";
import { FELT, record } from "../spec/schemas/common.ts";
import { acceptedOrFail, sentTransaction, SUBMISSION_ERRORS } from "./shared.ts";

const ERRORS = [
  ...SUBMISSION_ERRORS,
  "DUPLICATE_TX",
  "UNSUPPORTED_TX_VERSION",
  "INVALID_PROOF",
  "UNEXPECTED_ERROR",
] as const;

/**
 * JSON-RPC method `starknet_addInvokeTransaction`: submits a transaction that calls functions
 * through an account.
 */
export const addInvokeTransaction = method({
  name: "addInvokeTransaction",
  family: "write",
  runsOn: "admission",
  summary: "Submits a transaction that calls functions through an account.",
  params: (spec) => ({ invoke_transaction: required(spec.invoke) }),
  result: () => (hash: Felt) => ({ transaction_hash: hexFromFelt(hash) }),
  answer: () => record({ transaction_hash: FELT }),
  errors: ERRORS,
  async handler(context, { invoke_transaction: sent }, fail, client) {
    const transaction = sentTransaction(sent, fail);
    const facts = transaction.version === 3 ? transaction.proofFacts : [];
    // Some libraries send an empty proof with every transaction.
    const proof = "proof" in sent ? (sent.proof ?? "") : "";
    if (facts.length > 0 || proof !== "") {
      return fail("INVALID_PROOF", "this node takes no transactions with proofs");
    }
    const outcome = await context.submit.submit(transaction, client);
    return acceptedOrFail(outcome, ERRORS, fail).transactionHash;
  },
});
