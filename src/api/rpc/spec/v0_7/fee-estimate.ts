import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { FeeEstimate } from "#engine/execution/index.ts";

/**
 * Encodes FEE_ESTIMATE of JSON-RPC 0.7: gas is L1 gas. L2 gas, which transactions with three resource bounds pay
 * for, is only part of the overall fee.
 */
export function encodeEstimate({ gas, prices, overallFee, unit }: FeeEstimate): JsonObject {
  return {
    gas_consumed: hexFromFelt(gas.l1Gas),
    gas_price: hexFromFelt(prices.l1Gas),
    data_gas_consumed: hexFromFelt(gas.l1DataGas),
    data_gas_price: hexFromFelt(prices.l1DataGas),
    overall_fee: hexFromFelt(overallFee),
    unit,
  };
}
