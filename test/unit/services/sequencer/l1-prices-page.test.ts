import { expect, test } from "bun:test";
import fc from "fast-check";
import { createL1PricesPage, L1PricesPage } from "#services/sequencer/index.ts";
import { priceFault } from "#services/sequencer/l1-prices-page.ts";
import { assertProperty } from "#test/helpers/property.ts";

test("a page without prices keeps the start prices", () => {
  expect(new L1PricesPage(createL1PricesPage()).current()).toBeUndefined();
});

test("every reader of a page sees the latest prices", () => {
  const value = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
  const prices = fc.record({
    l1GasWei: value,
    l1DataGasWei: value,
    friPerWei: fc.record({ numerator: value, denominator: value }),
  });
  const page = createL1PricesPage();
  const [writer, reader] = [new L1PricesPage(page), new L1PricesPage(page)];
  assertProperty(
    fc.property(prices, (set) => {
      writer.set(set);
      expect(reader.current()).toEqual(set);
    }),
  );
});

test("prices of up to 128 bits in both units are valid", () => {
  const most = (1n << 128n) - 1n;
  const friPerWei = { numerator: 1n, denominator: 1n };
  const prices = { l1GasWei: most, l1DataGasWei: 0n, friPerWei };
  expect(priceFault(prices)).toBeUndefined();
  expect(priceFault({ ...prices, friPerWei: { numerator: 2n, denominator: 1n } })).toBeDefined();
  expect(priceFault({ ...prices, l1DataGasWei: most + 1n })).toBeDefined();
  expect(priceFault({ ...prices, friPerWei: { numerator: 0n, denominator: 1n } })).toBeUndefined();
});
