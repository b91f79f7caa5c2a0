import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { gasPricesOf, type L2GasPricing, nextL2GasPrice } from "#services/sequencer/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const EIP1559: L2GasPricing & { kind: "eip1559" } = {
  kind: "eip1559",
  targetGas: 2_000_000_000n,
  minPriceFri: 100_000n,
  maxChangeDenominator: 48n,
};

describe("eip1559 pricing", () => {
  test("starts at the minimum", () => {
    expect(nextL2GasPrice(EIP1559, undefined)).toBe(100_000n);
  });

  test("stays if exactly the target was used", () => {
    expect(nextL2GasPrice(EIP1559, { priceFri: 4_800_000n, gasUsed: 2_000_000_000n })).toBe(
      4_800_000n,
    );
  });

  test("rises by the full step if twice the target was used", () => {
    expect(nextL2GasPrice(EIP1559, { priceFri: 4_800_000n, gasUsed: 4_000_000_000n })).toBe(
      4_900_000n,
    );
  });

  test("falls by the full step if nothing was used", () => {
    expect(nextL2GasPrice(EIP1559, { priceFri: 4_800_000n, gasUsed: 0n })).toBe(4_700_000n);
  });

  test("never falls below the minimum", () => {
    const use = fc.record({
      priceFri: fc.bigInt(100_000n, 10n ** 30n),
      gasUsed: fc.bigInt(0n, 10n ** 10n),
    });
    assertProperty(fc.property(use, (parent) => nextL2GasPrice(EIP1559, parent) >= 100_000n));
  });

  test("never moves by more than the denominator allows for up to twice the target", () => {
    const use = fc.record({
      priceFri: fc.bigInt(100_000n, 10n ** 30n),
      gasUsed: fc.bigInt(0n, 4n * 10n ** 9n),
    });
    assertProperty(
      fc.property(use, (parent) => {
        const moved = nextL2GasPrice(EIP1559, parent) - parent.priceFri;
        return (moved < 0n ? -moved : moved) * 48n <= parent.priceFri;
      }),
    );
  });
});

describe("prices in both units", () => {
  test("convert with the exchange rate in both directions", () => {
    const l1 = {
      l1GasWei: 1_000n,
      l1DataGasWei: 10n,
      friPerWei: { numerator: 5_000n, denominator: 2n },
    };
    expect(gasPricesOf(l1, 10_000n)).toEqual({
      l1Gas: { wei: 1_000n, fri: 2_500_000n },
      l1DataGas: { wei: 10n, fri: 25_000n },
      l2Gas: { fri: 10_000n, wei: 4n },
    });
  });

  test("are never 0", () => {
    const none = { l1GasWei: 0n, l1DataGasWei: 0n, friPerWei: { numerator: 0n, denominator: 1n } };
    const prices = gasPricesOf(none, 0n);
    for (const price of Object.values(prices)) expect(price).toEqual({ wei: 1n, fri: 1n });
  });
});
