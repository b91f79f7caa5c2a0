import type { Decoder } from "#base/codec/index.ts";
import type { BlockId } from "../../block-id.ts";
import { blockIdDecoder } from "../block-ids.ts";

/** Decoder of BLOCK_ID of JSON-RPC 0.8: `pending` is the block being built. */
export const blockId: Decoder<BlockId> = blockIdDecoder({
  latest: "latest",
  pending: "pre_confirmed",
});

/** Decoder of BLOCK_ID of JSON-RPC 0.8 without `pending`. */
export const provenBlockId: Decoder<BlockId> = blockIdDecoder(
  { latest: "latest" },
  "SEALED_BLOCK_ID",
);
