import type { JsonValue } from "#base/codec/index.ts";
import type { ProtocolConstantsData } from "#protocol/versions/index.ts";
import { protocolConstantsData } from "#protocol/versions/data-codec.ts";
import { difference } from "#protocol/versions/overlay.ts";

/** Contents of a version's file: the change from the older constants to the newer ones. */
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
