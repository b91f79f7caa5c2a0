import type { GasVector, ProtocolConstants, Rational } from "#protocol/versions/index.ts";

/**
 * Unit of gas computation: `l2` for transactions with all three bounds, `l1` for older ones, whose L2 gas is
 * converted.
 */
export type GasMode = "l1" | "l2";

/** Prices of the three resources in one unit. */
export interface PriceVector {
  readonly l1Gas: bigint;
  readonly l1DataGas: bigint;
  readonly l2Gas: bigint;
}

/** Gas vector of zeros. */
export const NO_GAS: GasVector = { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n };

/** `amount` times a rational, rounded down. */
export function floorTimes(rate: Rational, amount: bigint): bigint {
  return (rate[0] * amount) / rate[1];
}

/** `amount` times a rational, rounded up. */
export function ceilTimes(rate: Rational, amount: bigint): bigint {
  return (rate[0] * amount + rate[1] - 1n) / rate[1];
}

/** L1 gas equivalent of `l2Gas`, rounded up, at the rate of one Cairo step. */
export function l1GasFromL2(constants: ProtocolConstants, l2Gas: bigint): bigint {
  const [numerator, denominator] = constants.vmResourceFeeCost.steps;
  return ceilTimes([numerator, denominator * constants.os.stepGasCost], l2Gas);
}

/** L2 gas equivalent of `l1Gas`, rounded up, at the rate of one Cairo step. */
export function l2GasFromL1(constants: ProtocolConstants, l1Gas: bigint): bigint {
  const [numerator, denominator] = constants.vmResourceFeeCost.steps;
  return ceilTimes([denominator * constants.os.stepGasCost, numerator], l1Gas);
}

/** Fee for gas; the tip is added to the L2 gas price. */
export function gasFee(gas: GasVector, prices: PriceVector, tip: bigint): bigint {
  return (
    gas.l1Gas * prices.l1Gas + gas.l1DataGas * prices.l1DataGas + gas.l2Gas * (prices.l2Gas + tip)
  );
}

/** L1 gas that would cost as much as `gas`: the amount limited by a bound on L1 gas alone. */
export function discountedL1Gas(
  constants: ProtocolConstants,
  gas: GasVector,
  prices: PriceVector,
): bigint {
  const data = (gas.l1DataGas * prices.l1DataGas + prices.l1Gas - 1n) / prices.l1Gas;
  return gas.l1Gas + data + l1GasFromL2(constants, gas.l2Gas);
}
