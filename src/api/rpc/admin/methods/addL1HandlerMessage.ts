import { array, ethAddress, felt, u128Hex } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { contractAddress } from "../../devnet/codecs.ts";
import { newestState } from "../../devnet/devnet-context.ts";
import { NotServedError } from "../../errors.ts";
import { optional, required } from "../../method.ts";
import { COUNT, FELT, record } from "../../spec/schemas/common.ts";
import { type MadeMessage, MAX_PAYLOAD } from "../access.ts";
import { adminMethod, encodeMadeBlock } from "../admin-context.ts";

/**
 * JSON-RPC method `appchain_addL1HandlerMessage`: executes a message as if L1 had sent it, on
 * chains without L1, and closes its block; returns when the block is accepted and durable. If the
 * node stops before that, the message is lost: send it again; its nonce ensures that it is never
 * executed twice.
 */
export const addL1HandlerMessage = adminMethod({
  name: "appchain_addL1HandlerMessage",
  family: "write",
  runsOn: "main",
  summary:
    "Executes a message as if L1 had sent it, on chains without L1, and closes its block; returns when the block is accepted and durable. If the node stops before that, the message is lost: send it again; its nonce ensures that it is never executed twice.",
  params: (spec) => ({
    from_address: required(ethAddress),
    to_address: required(contractAddress),
    entry_point_selector: required(felt),
    payload: required(array(felt, { maxLength: MAX_PAYLOAD })),
    nonce: required(felt),
    paid_fee_on_l1: required(u128Hex),
    l1_transaction_hash: optional(spec.l1TransactionHash, undefined),
  }),
  result:
    () =>
    ({ transactionHash, block }: MadeMessage) => ({
      transaction_hash: hexFromFelt(transactionHash),
      ...encodeMadeBlock(block),
    }),
  answer: () => record({ transaction_hash: FELT, block_number: COUNT, block_hash: FELT }),
  errors: ["CONTRACT_NOT_FOUND"],
  handler(context, params, fail) {
    const { admin } = context;
    if (admin.addL1HandlerMessage === null) {
      throw new NotServedError("this chain gets its messages from L1 alone");
    }
    const l2ContractAddress = params.to_address;
    if (newestState(context).classHashAt(l2ContractAddress) === 0n) {
      return fail("CONTRACT_NOT_FOUND");
    }
    return admin.addL1HandlerMessage({
      l1ContractAddress: params.from_address,
      l2ContractAddress,
      entryPointSelector: params.entry_point_selector,
      payload: params.payload,
      nonce: params.nonce,
      paidFeeOnL1: params.paid_fee_on_l1,
      l1TransactionHash: params.l1_transaction_hash ?? null,
    });
  },
});
