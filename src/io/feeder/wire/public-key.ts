import type { JsonValue } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { felt } from "./numbers.ts";

/**
 * Decodes the response of get_public_key.
 *
 * @throws {DecodeError} when it is not a felt
 */
export function readPublicKey(value: JsonValue): Felt {
  return felt.decode(value, "");
}

/** Encodes the response of get_public_key. */
export function writePublicKey(key: Felt): JsonValue {
  return hexFromFelt(key);
}
