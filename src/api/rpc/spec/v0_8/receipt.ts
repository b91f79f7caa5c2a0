import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { encodeGas, receiptEncoder, type ReceiptEncoder } from "../v0_10/receipt.ts";
import type { Encoder, Finality, ReceiptAnswer } from "../version.ts";

/** Encodes TXN_FINALITY_STATUS of JSON-RPC 0.8: transactions in the pending block count as accepted on L2. */
export function encodeFinality(finality: Finality): "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1" {
  return finality === "PRE_CONFIRMED" ? "ACCEPTED_ON_L2" : finality;
}

/** Encodes TXN_RECEIPT of JSON-RPC 0.8. */
export const encodeReceipt: ReceiptEncoder = receiptEncoder({
  finality: encodeFinality,
  resources: encodeGas,
});

/** Encodes TXN_RECEIPT_WITH_BLOCK_INFO of JSON-RPC 0.8. */
export const encodeReceiptAnswer: Encoder<ReceiptAnswer> = receiptAnswerEncoder(encodeReceipt);

/** Creates an encoder of TXN_RECEIPT_WITH_BLOCK_INFO; in the pending block it has neither hash nor number. */
export function receiptAnswerEncoder(encode: ReceiptEncoder): Encoder<ReceiptAnswer> {
  return ({ transaction, receipt, finality, blockHash, blockNumber }): JsonObject => ({
    ...encode(transaction, receipt, finality),
    ...(blockHash === undefined
      ? {}
      : { block_hash: hexFromFelt(blockHash), block_number: blockNumber }),
  });
}
