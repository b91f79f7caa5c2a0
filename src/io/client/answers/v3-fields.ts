import { array, felt, literal, object, u128Hex, u64Hex } from "#base/codec/index.ts";
import type { ResourceBound, V3Fields } from "#protocol/chain/index.ts";

const bound = object({ max_amount: u64Hex, max_price_per_unit: u128Hex });
const mode = literal("L1", "L2");

/** Decoders of the members common to all transactions of version 3. */
export const V3_MEMBERS = {
  resource_bounds: object({ l1_gas: bound, l2_gas: bound }, { l1_data_gas: bound }),
  tip: u64Hex,
  paymaster_data: array(felt),
  nonce_data_availability_mode: mode,
  fee_data_availability_mode: mode,
};

const members = object(V3_MEMBERS);

/** Decoded JSON members that all transactions of version 3 have, under their JSON names. */
export type ReadV3 = ReturnType<typeof members.decode>;

/**
 * Converts decoded members to their domain names. Nodes report 0 as the L1 data gas of the older bounds
 * without it; only the transaction hash shows which form was signed.
 */
export function v3FieldsOf(read: ReadV3): V3Fields {
  const { l1_gas, l2_gas, l1_data_gas } = read.resource_bounds;
  return {
    resourceBounds: {
      l1Gas: boundOf(l1_gas),
      l2Gas: boundOf(l2_gas),
      l1DataGas: l1_data_gas === undefined ? null : boundOf(l1_data_gas),
    },
    tip: read.tip,
    paymasterData: read.paymaster_data,
    nonceDataAvailabilityMode: read.nonce_data_availability_mode === "L1" ? 0 : 1,
    feeDataAvailabilityMode: read.fee_data_availability_mode === "L1" ? 0 : 1,
  };
}

function boundOf(read: ReturnType<typeof bound.decode>): ResourceBound {
  return { maxAmount: read.max_amount, maxPricePerUnit: read.max_price_per_unit };
}
