import type { Decoder } from "#base/codec/index.ts";
import type { BlockId } from "../../block-id.ts";
import { blockIdDecoder } from "../block-ids.ts";

/** Decoder of BLOCK_ID: `pending` is the block being built. */
export const blockId: Decoder<BlockId> = blockIdDecoder({
  latest: "latest",
  pending: "pre_confirmed",
});

/** Decoder of BLOCK_ID without `pending`. */
export const provenBlockId: Decoder<BlockId> = blockIdDecoder(
  { latest: "latest" },
  "SEALED_BLOCK_ID",
);
