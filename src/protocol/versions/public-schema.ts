import { isJsonObject } from "#base/codec/index.ts";
import { readCurrentSchema } from "./current-schema.ts";
import { readOldSchema } from "./old-schema.ts";
import type { ProtocolConstantsData } from "./types.ts";

/**
 * Reads a versioned constants file of either public schema. `allocation_cost` identifies the current schema:
 * all its files have it, and none of the old one.
 *
 * @param value - parsed JSON
 * @param path - prefix of paths in errors, `""` for none
 * @throws {DecodeError} at the first unknown, missing or wrong member
 */
export function readPublicConstants(value: unknown, path = ""): ProtocolConstantsData {
  return isJsonObject(value) && Object.hasOwn(value, "allocation_cost")
    ? readCurrentSchema(value, path)
    : readOldSchema(value, path);
}
