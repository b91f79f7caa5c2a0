import { receiptEncoder, type ReceiptEncoder } from "../v0_10/receipt.ts";
import { encodeFinality, receiptAnswerEncoder } from "../v0_8/receipt.ts";
import type { Encoder, ReceiptAnswer } from "../version.ts";
import { encodeComputation } from "./computation.ts";

/**
 * Encodes TXN_RECEIPT of JSON-RPC 0.7: its EXECUTION_RESOURCES are Cairo VM resources and data availability gas.
 */
export const encodeReceipt: ReceiptEncoder = receiptEncoder({
  finality: encodeFinality,
  resources: ({ vmResources, daGas }) => ({
    ...encodeComputation(vmResources),
    data_availability: {
      l1_gas: Number(daGas.l1Gas),
      l1_data_gas: Number(daGas.l1DataGas),
    },
  }),
});

/** Encodes TXN_RECEIPT_WITH_BLOCK_INFO of JSON-RPC 0.7. */
export const encodeReceiptAnswer: Encoder<ReceiptAnswer> = receiptAnswerEncoder(encodeReceipt);
