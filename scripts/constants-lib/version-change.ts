import type { JsonValue } from "#base/codec/index.ts";
import type { ProtocolConstantsData } from "#protocol/versions/index.ts";
import { protocolConstantsData } from "#protocol/versions/data-codec.ts";
import { difference } from "#protocol/versions/overlay.ts";

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
