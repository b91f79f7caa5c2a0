import type { JsonObject, JsonValue } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { RpcParams } from "#io/client/index.ts";
import type { OriginCall } from "../rpc/pending.ts";

/** Block id in its JSON form: an object, or a tag. */
export type BlockIdJson = JsonObject | "latest" | "l1_accepted";

/** Creates the JSON form of a block id with a number. */
export function numberId(blockNumber: number): JsonObject {
  return { block_number: blockNumber };
}

/** Creates the JSON form of a block id with a hash. */
export function hashId(blockHash: Felt): JsonObject {
  return { block_hash: hexFromFelt(blockHash) };
}

/** Creates a call whose result is short. */
export function smallCall(name: string, params: RpcParams): OriginCall {
  return { method: `starknet_${name}`, params: () => params, isLarge: false };
}

/** Creates a call whose result may be large. */
export function largeCall(name: string, params: RpcParams): OriginCall {
  return { method: `starknet_${name}`, params: () => params, isLarge: true };
}

/**
 * Creates the call for a block with its receipts, and with proof facts where the specification has
 * them.
 */
export function blockCall(id: JsonValue): OriginCall {
  return {
    method: "starknet_getBlockWithReceipts",
    params: ({ hasFlags }) => ({
      block_id: id,
      ...(hasFlags ? { response_flags: ["INCLUDE_PROOF_FACTS"] } : {}),
    }),
    isLarge: true,
  };
}
