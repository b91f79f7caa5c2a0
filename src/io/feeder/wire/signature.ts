import { type JsonObject, type JsonValue, isJsonObject, object, tuple } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { GatewayBlockSignature, GatewaySignature } from "../types.ts";
import { felt } from "./numbers.ts";

const pair = tuple(felt, felt);

/** Decodes `[r, s]`. */
export function readSignaturePair(value: unknown, path: string): GatewaySignature {
  const [r, s] = pair.decode(value, path);
  return { r, s };
}

/** Encodes `[r, s]`. */
export function writeSignaturePair({ r, s }: GatewaySignature): JsonValue {
  return pair.encode([r, s]);
}

const current = object({ block_hash: felt, signature: pair });

/** Form of gateways before 2024. */
const former = object({ signature_input: object({ block_hash: felt }), signature: pair });

/**
 * Decodes the response of get_signature. Accepts the form with only the block hash, and the older one with
 * `signature_input`.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readGatewaySignature(value: JsonValue): GatewayBlockSignature {
  if (isJsonObject(value) && value["signature_input"] !== undefined) {
    const { signature_input: input, signature } = former.decode(value, "");
    return { blockHash: input.block_hash, r: signature[0], s: signature[1] };
  }
  const { block_hash: blockHash, signature } = current.decode(value, "");
  return { blockHash, r: signature[0], s: signature[1] };
}

/** Encodes the response of get_signature. */
export function writeGatewaySignature(blockHash: Felt, signature: GatewaySignature): JsonObject {
  return { block_hash: hexFromFelt(blockHash), signature: writeSignaturePair(signature) };
}
