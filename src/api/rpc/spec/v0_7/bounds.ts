import type { ResourceBounds } from "#protocol/chain/index.ts";
import { convert, type Decoder, type JsonObject, object } from "#base/codec/index.ts";
import { encodeBound } from "../v0_10/transaction.ts";
import { resourceBound } from "../v0_10/v3-fields.ts";

const members = object(
  { l1_gas: resourceBound, l2_gas: resourceBound },
  { l1_data_gas: resourceBound },
);

/**
 * Decoder of RESOURCE_BOUNDS_MAPPING of JSON-RPC 0.7. The specification has the older form with two resources,
 * which has its own transaction hash. The third resource is accepted as well, because it is part of
 * what the wallet signed.
 */
export const resourceBounds: Decoder<ResourceBounds> = convert(
  members,
  members.describe,
  (wire) => ({
    l1Gas: wire.l1_gas,
    l2Gas: wire.l2_gas,
    l1DataGas: wire.l1_data_gas ?? null,
  }),
);

/** Encodes RESOURCE_BOUNDS_MAPPING of JSON-RPC 0.7, which has no bound of L1 data gas. */
export function encodeBounds({ l1Gas, l2Gas }: ResourceBounds): JsonObject {
  return { l1_gas: encodeBound(l1Gas), l2_gas: encodeBound(l2Gas) };
}
