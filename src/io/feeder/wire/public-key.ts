import type { JsonValue } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { felt } from "./numbers.ts";

/**
 * The answer to get_public_key.
 *
 * @throws {DecodeError} when it is no felt
 */
export function readPublicKey(value: JsonValue): Felt {
  return felt.decode(value, "");
}

/** The answer to get_public_key. */
export function writePublicKey(key: Felt): JsonValue {
  return hexFromFelt(key);
}
