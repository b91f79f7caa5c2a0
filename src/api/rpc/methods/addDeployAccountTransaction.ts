import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { method, required } from "../method.ts";
import { FELT, record } from "../spec/schemas/common.ts";
import { acceptedOrFail, sentTransaction, SUBMISSION_ERRORS } from "./shared.ts";

const ERRORS = [
  ...SUBMISSION_ERRORS,
  "CLASS_HASH_NOT_FOUND",
  "DUPLICATE_TX",
  "UNSUPPORTED_TX_VERSION",
  "UNEXPECTED_ERROR",
] as const;

/**
 * JSON-RPC method `starknet_addDeployAccountTransaction`: submits a transaction that deploys an
 * account, which pays the fee itself.
 */
export const addDeployAccountTransaction = method({
  name: "addDeployAccountTransaction",
  family: "write",
  runsOn: "admission",
  summary: "Submits a transaction that deploys an account, which pays the fee itself.",
  params: (spec) => ({ deploy_account_transaction: required(spec.deployAccount) }),
  result: () => (answer: { readonly transactionHash: Felt; readonly contractAddress: Felt }) => ({
    transaction_hash: hexFromFelt(answer.transactionHash),
    contract_address: hexFromFelt(answer.contractAddress),
  }),
  answer: () => record({ transaction_hash: FELT, contract_address: FELT }),
  errors: ERRORS,
  async handler(context, { deploy_account_transaction: sent }, fail, client) {
    const transaction = sentTransaction(sent, fail);
    const outcome = await context.submit.submit(transaction, client);
    const { transactionHash } = acceptedOrFail(outcome, ERRORS, fail);
    return { transactionHash, contractAddress: transaction.contractAddress };
  },
});
