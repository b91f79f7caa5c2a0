import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { HashedTransaction, L1Handler } from "#protocol/chain/index.ts";
import { encodeTransaction } from "../../spec/v0_10/transaction.ts";
import { DevnetFault } from "../fault.ts";

interface TransactionRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/**
 * Creates a request for a transaction on the chain that no successful request has created: a failed faucet
 * transaction, or a message sent by an operator.
 *
 * @throws {DevnetFault} for a declaration, as a transaction does not contain its class
 */
export function requestOf({ hash, transaction }: HashedTransaction): TransactionRequest {
  switch (transaction.type) {
    case "INVOKE":
      return {
        method: "starknet_addInvokeTransaction",
        params: { invoke_transaction: encodeTransaction(transaction, { proofFacts: false }) },
      };
    case "L1_HANDLER":
      return { method: "devnet_postmanSendMessageToL2", params: messageOf(transaction) };
    default:
      throw new DevnetFault(
        `transaction ${hexFromFelt(hash)} (${transaction.type}) is on the chain, and the request for it was not recorded`,
      );
  }
}

function messageOf({
  contractAddress,
  entryPointSelector,
  calldata,
  nonce,
  paidFeeOnL1,
}: L1Handler): JsonObject {
  const [sender = 0n, ...payload] = calldata;
  return {
    l2_contract_address: hexFromFelt(contractAddress),
    entry_point_selector: hexFromFelt(entryPointSelector),
    l1_contract_address: `0x${sender.toString(16).padStart(40, "0")}`,
    payload: payload.map(hexFromFelt),
    paid_fee_on_l1: `0x${(paidFeeOnL1 ?? 0n).toString(16)}`,
    nonce: hexFromFelt(nonce),
  };
}
