import { type HashedTransaction, type L1Handler, transactionHash } from "#protocol/chain/index.ts";
import { stateOf } from "../block-id.ts";
import type { QueryContext } from "../context.ts";
import { method, required } from "../method.ts";
import type { MessageFromL1 } from "../spec/version.ts";
import { checkStopped, stopped } from "../stopped.ts";
import { blockOrFail, infoOrFail } from "./shared.ts";

/** JSON-RPC method `starknet_estimateMessageFee`: fee of the L2 part of a message from L1. */
export const estimateMessageFee = method({
  name: "estimateMessageFee",
  family: "read",
  runsOn: "query",
  summary: "Fee of the L2 part of a message from L1.",
  params: (spec) => ({
    message: required(spec.messageFromL1),
    block_id: required(spec.blockId),
  }),
  result: (spec) => spec.messageFee,
  answer: (spec) => spec.schemas.messageFee,
  errors: ["CONTRACT_NOT_FOUND", "CONTRACT_ERROR", "BLOCK_NOT_FOUND"],
  handler(context, { message, block_id }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const info = infoOrFail(context, block, fail);
    const handler = handlerOf(context, message);
    const outcome = context.tracing.estimateMessageFee(stateOf(context, block), info, handler);
    switch (outcome.kind) {
      case "ok":
        return outcome.estimate;
      case "contract_not_found":
        return fail("CONTRACT_NOT_FOUND", "the contract at message.to_address is not deployed");
      case "failed":
        return fail("CONTRACT_ERROR", { failure: outcome.failure });
      case "cancelled":
        return stopped();
    }
  },
});

/** Returns the transaction that would handle the message; no fee depends on its nonce. */
function handlerOf(context: QueryContext, message: MessageFromL1): HashedTransaction<L1Handler> {
  const transaction: L1Handler = {
    type: "L1_HANDLER",
    version: 0,
    nonce: 0n,
    contractAddress: message.toAddress,
    entryPointSelector: message.entryPointSelector,
    calldata: [message.fromAddress, ...message.payload],
    paidFeeOnL1: 1n,
  };
  const hash = transactionHash(transaction, context.chainId, {
    pause: () => checkStopped(context),
  });
  return { hash, transaction };
}
