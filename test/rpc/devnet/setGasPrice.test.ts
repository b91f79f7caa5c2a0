import { describe, expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_setGasPrice";
const NAMES = [
  "gas_price_wei",
  "data_gas_price_wei",
  "gas_price_fri",
  "data_gas_price_fri",
  "l2_gas_price_wei",
  "l2_gas_price_fri",
] as const;

describe(METHOD, () => {
  test("sets the specified prices and returns all of them", async () => {
    const { context, calls } = devnetWorld();
    // The client of starknet-devnet 0.7.1 sends null for omitted members.
    const params = { gas_price_fri: 9, l2_gas_price_fri: null, generate_block: null };
    const answer = await askDevnet(METHOD, params, context);
    expect(calls).toEqual([["setGasPrices", { l1Gas: { fri: 9n }, l1DataGas: {}, l2Gas: {} }]]);
    expect(answer).toEqual({
      result: {
        gas_price_wei: 1,
        gas_price_fri: 2,
        data_gas_price_wei: 3,
        data_gas_price_fri: 4,
        l2_gas_price_wei: 2 ** 70,
        l2_gas_price_fri: Number((1n << 70n) + 1n),
      },
    });
  });

  test("creates a block on request", async () => {
    const { context, calls } = devnetWorld();
    const prices = Object.fromEntries(NAMES.map((name, i) => [name, i + 1]));
    await askDevnet(METHOD, { ...prices, generate_block: true }, context);
    expect(calls).toEqual([
      [
        "setGasPrices",
        {
          l1Gas: { wei: 1n, fri: 3n },
          l1DataGas: { wei: 2n, fri: 4n },
          l2Gas: { wei: 5n, fri: 6n },
        },
      ],
      ["createBlock", true],
    ]);
  });

  test("rejects invalid prices", async () => {
    for (const name of NAMES) {
      for (const price of [0, -1, 1n << 128n, "5", 1.5]) {
        expect([price, await refusedPath(METHOD, { [name]: price })]).toEqual([price, name]);
      }
    }
  });
});
