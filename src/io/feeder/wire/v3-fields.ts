import { type Codec, literal } from "#base/codec/index.ts";
import type { ResourceBound, ResourceBounds, V3Fields } from "#protocol/chain/index.ts";
import { field, type Fields, members, optionalField } from "./members.ts";
import { felts, u128, u64 } from "./numbers.ts";

const bound: Codec<ResourceBound> = members("bound of a resource", {
  maxAmount: field("max_amount", u64),
  maxPricePerUnit: field("max_price_per_unit", u128),
});

const nullableBound = bound as Codec<ResourceBound | null>;

/** Omitting `L1_DATA_GAS` yields another transaction hash than bounding it by 0. */
const resourceBounds: Codec<ResourceBounds> = members("resource bounds", {
  l1Gas: field("L1_GAS", bound),
  l2Gas: field("L2_GAS", bound),
  l1DataGas: optionalField("L1_DATA_GAS", nullableBound, null),
});

const mode = literal(0, 1);

/**
 * JSON fields that all transactions of version 3 have, of any type: fee bounds, tip, paymaster
 * data, data availability modes.
 */
export const V3_FIELDS: Fields<V3Fields> = {
  nonceDataAvailabilityMode: field("nonce_data_availability_mode", mode),
  feeDataAvailabilityMode: field("fee_data_availability_mode", mode),
  resourceBounds: field("resource_bounds", resourceBounds),
  tip: field("tip", u64),
  paymasterData: field("paymaster_data", felts),
};
