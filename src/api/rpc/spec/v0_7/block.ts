import type { BlockInfo } from "#protocol/chain/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type BlockEncoders, blockEncoders, encodeInfo, encodeSealing } from "../v0_10/block.ts";
import { encodePendingHead } from "../v0_8/block.ts";
import type { BlockHead } from "../version.ts";
import { encodeReceipt } from "./receipt.ts";
import { encodeTransaction } from "./transaction.ts";

/** Block encoders of JSON-RPC 0.7. */
export const BLOCK_ENCODERS: BlockEncoders = blockEncoders({
  head: encodeHead,
  transaction: encodeTransaction,
  receipt: encodeReceipt,
});

/** BLOCK_HEADER with the status, or PENDING_BLOCK_HEADER. */
function encodeHead(head: BlockHead): JsonObject {
  return head.kind === "sealed"
    ? { ...encodeSealing(head), ...withoutL2Price(head.header) }
    : encodePendingHead(head.parentHash, withoutL2Price(head.info));
}

function withoutL2Price(info: BlockInfo): JsonObject {
  const { l2_gas_price: _, ...members } = encodeInfo(info);
  return members;
}
