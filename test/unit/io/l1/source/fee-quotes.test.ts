import { describe, expect, test } from "bun:test";
import { numberToHex } from "viem";
import { FakeL1, FakeRefusal } from "#test/helpers/fake-l1.ts";
import { l1SourceWorld } from "#test/helpers/l1-source.ts";

interface Charges {
  /**
   * Results of `eth_gasPrice` and `eth_blobBaseFee`; `undefined` if the method does not exist.
   */
  gasWei: bigint | undefined;
  blobGasWei: bigint | undefined;
}

/** L1 that currently charges 9 wei for gas and 4 for blob gas. */
function chargingL1(hasHistory: boolean): { readonly l1: FakeL1; readonly charges: Charges } {
  const l1 = new FakeL1(5);
  const charges: Charges = { gasWei: 9n, blobGasWei: 4n };
  const priceResult = (wei: bigint | undefined): unknown =>
    wei === undefined ? new FakeRefusal(-32_601, "method not found") : numberToHex(wei);
  l1.intercept = (method) => {
    if (method === "eth_gasPrice") return priceResult(charges.gasWei);
    if (method === "eth_blobBaseFee") return priceResult(charges.blobGasWei);
    return method === "eth_feeHistory" && !hasHistory ? priceResult(undefined) : undefined;
  };
  return { l1, charges };
}

describe("an endpoint without a fee history", () => {
  test("quotes its current prices, is reported once and stays in use", async () => {
    const { l1 } = chargingL1(false);
    await using world = await l1SourceWorld([l1]);
    for (let i = 0; i < 5; i++) {
      expect(await world.source.feeQuote()).toMatchObject({ l1GasWei: 9n, l1DataGasWei: 4n });
    }
    expect(world.reports).toEqual(["0 standing by", "0 has no fee history"]);
    const asked = world.proxies[0]?.call.filter(({ method }) => method === "eth_feeHistory");
    expect(asked).toHaveLength(1);
  });

  test("quotes no blob gas price if L1 has no blobs", async () => {
    const { l1, charges } = chargingL1(false);
    charges.blobGasWei = undefined;
    await using world = await l1SourceWorld([l1]);
    expect(await world.source.feeQuote()).toMatchObject({ l1GasWei: 9n, l1DataGasWei: undefined });
  });

  test("is replaced by the next one if it has no prices at all", async () => {
    const [poor, rich] = [chargingL1(false), chargingL1(true)];
    poor.charges.gasWei = undefined;
    await using world = await l1SourceWorld([poor.l1, rich.l1]);
    const { endpoint, l1GasWei, l1DataGasWei } = await world.source.feeQuote();
    expect(endpoint).toBe(world.proxies[1]?.url ?? "");
    expect([l1GasWei, l1DataGasWei]).toEqual([8n, 3n]);
  });
});

describe("an endpoint whose fee history has no blobs", () => {
  test("quotes both of its current prices", async () => {
    const { l1 } = chargingL1(true);
    l1.blobBaseFees = undefined;
    await using world = await l1SourceWorld([l1]);
    expect(await world.source.feeQuote()).toMatchObject({ l1GasWei: 9n, l1DataGasWei: 4n });
    expect(world.reports).toEqual(["0 standing by"]);
  });

  test("quotes the base fee of its history if it has no blob price either", async () => {
    const { l1, charges } = chargingL1(true);
    l1.blobBaseFees = undefined;
    charges.blobGasWei = undefined;
    await using world = await l1SourceWorld([l1]);
    expect(await world.source.feeQuote()).toMatchObject({ l1GasWei: 8n, l1DataGasWei: undefined });
  });
});
