import type { JsonObject } from "#base/codec/index.ts";
import { type BlockEncoders, blockEncoders, encodeInfo, encodeSealing } from "../v0_10/block.ts";
import { encodeReceipt } from "../v0_10/receipt.ts";
import { encodeTransaction } from "../v0_10/transaction.ts";
import type { BlockHead } from "../version.ts";

/** Block encoders of JSON-RPC 0.9, whose headers have no commitments. */
export const BLOCK_ENCODERS: BlockEncoders = blockEncoders({
  head: encodeHead,
  transaction: encodeTransaction,
  receipt: encodeReceipt,
});

/** BLOCK_HEADER with the status, without commitments and counts; or PRE_CONFIRMED_BLOCK_HEADER. */
function encodeHead(head: BlockHead): JsonObject {
  return head.kind === "sealed"
    ? { ...encodeSealing(head), ...encodeInfo(head.header) }
    : encodeInfo(head.info);
}
