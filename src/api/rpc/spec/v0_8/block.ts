import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { type BlockEncoders, blockEncoders, encodeInfo, encodeSealing } from "../v0_10/block.ts";
import { encodeTransaction } from "../v0_10/transaction.ts";
import type { BlockHead } from "../version.ts";
import { encodeReceipt } from "./receipt.ts";

/** Block encoders of JSON-RPC 0.8. */
export const BLOCK_ENCODERS: BlockEncoders = blockEncoders({
  head: encodeHead,
  transaction: encodeTransaction,
  receipt: encodeReceipt,
});

/** BLOCK_HEADER with the status, or PENDING_BLOCK_HEADER. */
function encodeHead(head: BlockHead): JsonObject {
  return head.kind === "sealed"
    ? { ...encodeSealing(head), ...encodeInfo(head.header) }
    : encodePendingHead(head.parentHash, encodeInfo(head.info));
}

/**
 * Encodes PENDING_BLOCK_HEADER of JSON-RPC 0.8: it has a parent and no number.
 *
 * @param info - members shared with sealed blocks
 */
export function encodePendingHead(parentHash: Felt, info: JsonObject): JsonObject {
  const { block_number: _, ...members } = info;
  return { parent_hash: hexFromFelt(parentHash), ...members };
}
