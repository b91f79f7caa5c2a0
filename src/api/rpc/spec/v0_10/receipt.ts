import type { HashedTransaction, L1Handler, Receipt, Transaction } from "#protocol/chain/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { keccak256 } from "#protocol/crypto/index.ts";
import { hexFromBytes, hexFromFelt, writeFelt } from "#base/primitives/index.ts";
import type { Finality, ReceiptAnswer, TransactionStatusAnswer } from "../version.ts";
import { hexList } from "./transaction.ts";

/** TXN_RECEIPT. */
export function encodeReceipt(
  { transaction }: HashedTransaction,
  receipt: Receipt,
  finality: Finality,
): JsonObject {
  return {
    type: transaction.type,
    transaction_hash: hexFromFelt(receipt.transactionHash),
    actual_fee: { amount: hexFromFelt(receipt.actualFee), unit: receipt.feeUnit },
    finality_status: finality,
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
    execution_resources: {
      l1_gas: Number(receipt.gas.l1Gas),
      l1_data_gas: Number(receipt.gas.l1DataGas),
      l2_gas: Number(receipt.gas.l2Gas),
    },
    ...executionMembers(receipt, "revert_reason"),
    ...typeMembers(transaction),
  };
}

/** TXN_RECEIPT_WITH_BLOCK_INFO. */
export function encodeReceiptAnswer(answer: ReceiptAnswer): JsonObject {
  return {
    ...encodeReceipt(answer.transaction, answer.receipt, answer.finality),
    ...(answer.blockHash === undefined ? {} : { block_hash: hexFromFelt(answer.blockHash) }),
    block_number: answer.blockNumber,
  };
}

/** TXN_STATUS_RESULT. */
export function encodeTransactionStatus(answer: TransactionStatusAnswer): JsonObject {
  if (answer.kind === "received") return { finality_status: "RECEIVED" };
  return {
    finality_status: answer.finality,
    ...executionMembers(answer.receipt, "failure_reason"),
  };
}

function executionMembers(receipt: Receipt, reasonName: string): JsonObject {
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
      return { message_hash: `0x${hexFromBytes(messageHash(transaction))}` };
    default:
      return {};
  }
}

/**
 * Hash of a message from L1 as the core contract logs it: Keccak over 32-byte words of sender,
 * receiver, nonce, selector, payload length and payload (core contract, `getL1ToL2MsgHash`).
 */
function messageHash(transaction: L1Handler): Uint8Array {
  const [sender = 0n, ...payload] = transaction.calldata;
  const words = [
    sender,
    transaction.contractAddress,
    transaction.nonce,
    transaction.entryPointSelector,
    BigInt(payload.length),
    ...payload,
  ];
  const bytes = new Uint8Array(32 * words.length);
  const view = new DataView(bytes.buffer);
  words.forEach((word, i) => writeFelt(view, 32 * i, word));
  return keccak256(bytes);
}
