import type { JsonObject, JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { executionMembers } from "../v0_10/receipt.ts";
import type { MessageStatusAnswer, TransactionStatusAnswer } from "../version.ts";
import { encodeFinality } from "./receipt.ts";

/** Encodes TXN_STATUS_RESULT of JSON-RPC 0.8. */
export function encodeTransactionStatus(answer: TransactionStatusAnswer): JsonObject {
  switch (answer.kind) {
    case "received":
      return { finality_status: "RECEIVED" };
    case "rejected":
      return { finality_status: "REJECTED", failure_reason: answer.reason };
    case "executed":
      return {
        finality_status: encodeFinality(answer.finality),
        ...executionMembers(answer.receipt, "failure_reason"),
      };
  }
}

/**
 * Encodes the result of getMessagesStatus, which has no execution status in JSON-RPC 0.8. Its
 * failure reason is only for rejections, and executed messages are never rejected.
 */
export function encodeMessageStatuses(answers: readonly MessageStatusAnswer[]): JsonValue {
  return answers.map((answer) => {
    if (answer.kind === "received") {
      const { transactionHash } = answer;
      return { transaction_hash: hexFromFelt(transactionHash), finality_status: "RECEIVED" };
    }
    const { receipt, finality } = answer;
    return {
      transaction_hash: hexFromFelt(receipt.transactionHash),
      finality_status: encodeFinality(finality),
    };
  });
}
