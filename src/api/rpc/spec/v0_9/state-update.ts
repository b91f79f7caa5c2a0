import type { JsonObject } from "#base/codec/index.ts";
import { encodeChanges, encodeUpdateWith } from "../v0_10/state-update.ts";
import type { StateUpdateAnswer } from "../version.ts";

/** Encodes STATE_UPDATE or PRE_CONFIRMED_STATE_UPDATE of JSON-RPC 0.9: a STATE_DIFF has no migrated classes. */
export function encodeStateUpdate(answer: StateUpdateAnswer): JsonObject {
  return encodeUpdateWith(encodeChanges, answer);
}
