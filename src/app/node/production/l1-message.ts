import type { MockMessageToL2 } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { encodeTransaction, type L1Handler, transactionHash } from "#protocol/chain/index.ts";

/** Builds the transaction that executes a message from L1, with its hash; `bytes` is its encoding. */
export function l1HandlerOf(
  message: MockMessageToL2,
  chainId: Felt,
): { readonly hash: Felt; readonly bytes: Uint8Array } {
  const transaction: L1Handler = {
    type: "L1_HANDLER",
    version: 0,
    nonce: message.nonce,
    contractAddress: message.l2ContractAddress,
    entryPointSelector: message.entryPointSelector,
    calldata: [message.l1ContractAddress, ...message.payload],
    paidFeeOnL1: message.paidFeeOnL1,
  };
  const hash = transactionHash(transaction, chainId);
  return { hash, bytes: encodeTransaction({ hash, transaction }) };
}
