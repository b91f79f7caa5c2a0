import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { FeeEstimate } from "#engine/execution/index.ts";

/** Encodes FEE_ESTIMATE or MESSAGE_FEE_ESTIMATE of JSON-RPC 0.10. */
export function encodeEstimate({ gas, prices, overallFee, unit }: FeeEstimate): JsonObject {
  return {
    l1_gas_consumed: hexFromFelt(gas.l1Gas),
    l1_gas_price: hexFromFelt(prices.l1Gas),
    l2_gas_consumed: hexFromFelt(gas.l2Gas),
    l2_gas_price: hexFromFelt(prices.l2Gas),
    l1_data_gas_consumed: hexFromFelt(gas.l1DataGas),
    l1_data_gas_price: hexFromFelt(prices.l1DataGas),
    overall_fee: hexFromFelt(overallFee),
    unit,
  };
}
