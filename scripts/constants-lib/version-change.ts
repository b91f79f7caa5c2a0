import type { JsonValue } from "#codec/index.ts";
import type { ProtocolConstantsData } from "#config/index.ts";
import { protocolConstantsData } from "#config/constants/data-codec.ts";
import { difference } from "#config/constants/overlay.ts";

/** What a version's file states: the change that makes the newer constants of the older ones. */
export function versionChange(
  older: ProtocolConstantsData,
  newer: ProtocolConstantsData,
): JsonValue {
  const change = difference(
    protocolConstantsData.encode(older),
    protocolConstantsData.encode(newer),
  );
  return change as JsonValue;
}
