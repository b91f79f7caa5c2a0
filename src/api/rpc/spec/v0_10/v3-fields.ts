import type {
  DataAvailabilityMode,
  ResourceBound,
  ResourceBounds,
  V3Fields,
} from "#protocol/chain/index.ts";
import {
  array,
  convert,
  type Decoded,
  type Decoder,
  felt,
  literal,
  object,
  u128Hex,
  u64Hex,
} from "#base/codec/index.ts";

/** Fields of every version 3 transaction as wallets send it, with signature and nonce. */
export type SentV3Fields = V3Fields & {
  readonly signature: readonly bigint[];
  readonly nonce: bigint;
};

const boundMembers = object({ max_amount: u64Hex, max_price_per_unit: u128Hex });

/** Decoder of RESOURCE_BOUNDS of JSON-RPC 0.10. */
export const resourceBound: Decoder<ResourceBound> = convert(
  boundMembers,
  boundMembers.describe,
  (wire) => ({ maxAmount: wire.max_amount, maxPricePerUnit: wire.max_price_per_unit }),
);

const threeBounds = object({
  l1_gas: resourceBound,
  l1_data_gas: resourceBound,
  l2_gas: resourceBound,
});

/** Decoder of RESOURCE_BOUNDS_MAPPING of JSON-RPC 0.10. */
export const resourceBounds: Decoder<ResourceBounds> = convert(
  threeBounds,
  threeBounds.describe,
  (wire) => ({ l1Gas: wire.l1_gas, l1DataGas: wire.l1_data_gas, l2Gas: wire.l2_gas }),
);

const daMode: Decoder<DataAvailabilityMode> = convert(
  literal("L1", "L2"),
  '"L1" or "L2"',
  (name): DataAvailabilityMode => (name === "L1" ? 0 : 1),
);

/** Decoders of the members that every transaction of version 3 has. */
export function v3Members(bounds: Decoder<ResourceBounds>) {
  return {
    signature: array(felt),
    nonce: felt,
    resource_bounds: bounds,
    tip: u64Hex,
    paymaster_data: array(felt),
    nonce_data_availability_mode: daMode,
    fee_data_availability_mode: daMode,
  } as const;
}

/** Converts wire names to domain names. */
export function v3Fields(read: {
  readonly [K in keyof ReturnType<typeof v3Members>]: Decoded<ReturnType<typeof v3Members>[K]>;
}): SentV3Fields {
  return {
    signature: read.signature,
    nonce: read.nonce,
    resourceBounds: read.resource_bounds,
    tip: read.tip,
    paymasterData: read.paymaster_data,
    nonceDataAvailabilityMode: read.nonce_data_availability_mode,
    feeDataAvailabilityMode: read.fee_data_availability_mode,
  };
}
