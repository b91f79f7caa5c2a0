import { describe, expect, test } from "bun:test";
import { numberToHex } from "viem";
import { FakeL1, FakeRefusal } from "#test/helpers/fake-l1.ts";
import { l1SourceWorld } from "#test/helpers/l1-source.ts";

interface Charges {
  /** `eth_gasPrice` and `eth_blobBaseFee`; `undefined` where there is no such method. */
  gasWei: bigint | undefined;
  blobGasWei: bigint | undefined;
}

/** An L1 that charges 9 wei for gas and 4 for blob gas now. */
function chargingL1(hasHistory: boolean): { readonly l1: FakeL1; readonly charges: Charges } {
  const l1 = new FakeL1(5);
  const charges: Charges = { gasWei: 9n, blobGasWei: 4n };
  const told = (wei: bigint | undefined): unknown =>
    wei === undefined ? new FakeRefusal(-32_601, "method not found") : numberToHex(wei);
  l1.intercept = (method) => {
    if (method === "eth_gasPrice") return told(charges.gasWei);
    if (method === "eth_blobBaseFee") return told(charges.blobGasWei);
    return method === "eth_feeHistory" && !hasHistory ? told(undefined) : undefined;
  };
  return { l1, charges };
}

describe("an endpoint without a fee history", () => {
  test("has its current prices, is reported once, asked once, and not left", async () => {
    const { l1 } = chargingL1(false);
    await using world = await l1SourceWorld([l1]);
    for (let i = 0; i < 5; i++) {
      expect(await world.source.feeQuote()).toMatchObject({ l1GasWei: 9n, l1DataGasWei: 4n });
    }
    expect(world.told).toEqual(["0 standing by", "0 has no fee history"]);
    const asked = world.proxies[0]?.asked.filter(({ method }) => method === "eth_feeHistory");
    expect(asked).toHaveLength(1);
  });

  test("has no price of blob gas where L1 has no blobs", async () => {
    const { l1, charges } = chargingL1(false);
    charges.blobGasWei = undefined;
    await using world = await l1SourceWorld([l1]);
    expect(await world.source.feeQuote()).toMatchObject({ l1GasWei: 9n, l1DataGasWei: undefined });
  });

  test("is left for the next one where it has no prices at all", async () => {
    const [poor, rich] = [chargingL1(false), chargingL1(true)];
    poor.charges.gasWei = undefined;
    await using world = await l1SourceWorld([poor.l1, rich.l1]);
    const { endpoint, l1GasWei, l1DataGasWei } = await world.source.feeQuote();
    expect(endpoint).toBe(world.proxies[1]?.url ?? "");
    expect([l1GasWei, l1DataGasWei]).toEqual([8n, 3n]);
  });
});

describe("an endpoint whose fee history has no blobs", () => {
  test("has both prices from what it charges now", async () => {
    const { l1 } = chargingL1(true);
    l1.blobBaseFees = undefined;
    await using world = await l1SourceWorld([l1]);
    expect(await world.source.feeQuote()).toMatchObject({ l1GasWei: 9n, l1DataGasWei: 4n });
    expect(world.told).toEqual(["0 standing by"]);
  });

  test("has the base fee of its history where it does not tell a blob price either", async () => {
    const { l1, charges } = chargingL1(true);
    l1.blobBaseFees = undefined;
    charges.blobGasWei = undefined;
    await using world = await l1SourceWorld([l1]);
    expect(await world.source.feeQuote()).toMatchObject({ l1GasWei: 8n, l1DataGasWei: undefined });
  });
});
