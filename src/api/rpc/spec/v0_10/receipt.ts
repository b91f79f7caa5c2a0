import {
  type HashedTransaction,
  l1MessageHash,
  type Receipt,
  type Transaction,
} from "#protocol/chain/index.ts";
import type { JsonObject, JsonValue } from "#base/codec/index.ts";
import { hexFromFelt, paddedHexFromFelt } from "#base/primitives/index.ts";
import { fail } from "../../errors.ts";
import type {
  Finality,
  MessageStatusAnswer,
  ReceiptAnswer,
  TransactionStatusAnswer,
} from "../version.ts";
import { hexList } from "./transaction.ts";

/** Encodes a TXN_RECEIPT. */
export type ReceiptEncoder = (
  transaction: HashedTransaction,
  receipt: Receipt,
  finality: Finality,
) => JsonObject;

/** Differences between versions in their receipts. */
export interface ReceiptParts {
  /** TXN_FINALITY_STATUS. */
  readonly finality: (finality: Finality) => string;
  /** EXECUTION_RESOURCES. */
  readonly resources: (receipt: Receipt) => JsonObject;
}

/** Creates an encoder of TXN_RECEIPT. */
export function receiptEncoder(parts: ReceiptParts): ReceiptEncoder {
  return (hashed, receipt, finality) => encodeWith(parts, hashed, receipt, finality);
}

/** Encodes TXN_RECEIPT of JSON-RPC 0.10. */
export const encodeReceipt: ReceiptEncoder = receiptEncoder({
  finality: (finality) => finality,
  resources: encodeGas,
});

/** Encodes EXECUTION_RESOURCES of JSON-RPC 0.10. */
export function encodeGas({ gas }: Receipt): JsonObject {
  return {
    l1_gas: Number(gas.l1Gas),
    l1_data_gas: Number(gas.l1DataGas),
    l2_gas: Number(gas.l2Gas),
  };
}

function encodeWith(
  parts: ReceiptParts,
  { transaction }: HashedTransaction,
  receipt: Receipt,
  finality: Finality,
): JsonObject {
  return {
    type: transaction.type,
    transaction_hash: hexFromFelt(receipt.transactionHash),
    actual_fee: { amount: hexFromFelt(receipt.actualFee), unit: receipt.feeUnit },
    finality_status: parts.finality(finality),
    messages_sent: receipt.messages.map((message) => ({
      from_address: hexFromFelt(message.fromAddress),
      to_address: hexFromFelt(message.toAddress),
      payload: hexList(message.payload),
    })),
    events: receipt.events.map((event) => ({
      from_address: hexFromFelt(event.fromAddress),
      keys: hexList(event.keys),
      data: hexList(event.data),
    })),
    execution_resources: parts.resources(receipt),
    ...executionMembers(receipt, "revert_reason"),
    ...typeMembers(transaction),
  };
}

/** Encodes TXN_RECEIPT_WITH_BLOCK_INFO of JSON-RPC 0.10. */
export function encodeReceiptAnswer(answer: ReceiptAnswer): JsonObject {
  return {
    ...encodeReceipt(answer.transaction, answer.receipt, answer.finality),
    ...(answer.blockHash === undefined ? {} : { block_hash: hexFromFelt(answer.blockHash) }),
    block_number: answer.blockNumber,
  };
}

/**
 * Encodes TXN_STATUS_RESULT.
 *
 * @throws {RpcFault} TXN_HASH_NOT_FOUND for a rejected transaction, for which version 0.10 has no
 *   status
 */
export function encodeTransactionStatus(answer: TransactionStatusAnswer): JsonObject {
  switch (answer.kind) {
    case "received":
      return { finality_status: answer.isCandidate ? "CANDIDATE" : "RECEIVED" };
    case "rejected":
      return fail("TXN_HASH_NOT_FOUND", `rejected: ${answer.reason}`);
    case "executed":
      return {
        finality_status: answer.finality,
        ...executionMembers(answer.receipt, "failure_reason"),
      };
  }
}

/**
 * Encodes the result of getMessagesStatus of JSON-RPC 0.10. It contains only executed L1 handler
 * transactions, because each entry requires an execution status.
 */
export function encodeMessageStatuses(answers: readonly MessageStatusAnswer[]): JsonValue {
  return answers.flatMap((answer) => {
    if (answer.kind === "received") return [];
    const { receipt, finality } = answer;
    return {
      transaction_hash: hexFromFelt(receipt.transactionHash),
      finality_status: finality,
      ...executionMembers(receipt, "failure_reason"),
    };
  });
}

/** Encodes the execution status; if reverted, with the reason as `reasonName`. */
export function executionMembers(receipt: Receipt, reasonName: string): JsonObject {
  return receipt.status.kind === "succeeded"
    ? { execution_status: "SUCCEEDED" }
    : { execution_status: "REVERTED", [reasonName]: receipt.status.reason };
}

function typeMembers(transaction: Transaction): JsonObject {
  switch (transaction.type) {
    case "DEPLOY":
    case "DEPLOY_ACCOUNT":
      return { contract_address: hexFromFelt(transaction.contractAddress) };
    case "L1_HANDLER":
      return { message_hash: paddedHexFromFelt(l1MessageHash(transaction)) };
    default:
      return {};
  }
}
