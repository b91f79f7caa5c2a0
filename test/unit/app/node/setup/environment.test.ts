import { beforeAll, describe, expect, test } from "bun:test";
import { nextBlockInfo, pendingBlock, unixNowMs } from "#app/node/setup/environment.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { contextFor } from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import {
  ClockPage,
  createClockPage,
  createL1PricesPage,
  L1PricesPage,
} from "#services/sequencer/index.ts";
import { PendingOverlay } from "#engine/state/index.ts";
import { type ChainConfig, loadChainConfig } from "#protocol/config/index.ts";
import { followOptions, gasPriceOptions } from "#test/helpers/options.ts";
import { EMPTY_CHAIN, SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";

let config: ChainConfig;
beforeAll(async () => {
  ({ config } = await loadChainConfig({ preset: "devnet", role: "sequencer" }));
});

function setup() {
  const l1Prices = fixedL1Prices(gasPriceOptions());
  const files = nodeFiles("/nowhere", null);
  return {
    config,
    files,
    chargeFees: true,
    l1Prices,
    executionMemoryBytes: 2 ** 28,
    ...ORDINARY_SETUP,
  };
}

describe("the pending block while none is open", () => {
  test("is empty, on top of the newest accepted block, with the current configuration", () => {
    const { info, transactions, receipts, state, find } = pendingBlock(
      setup(),
      SAMPLE_CHAIN,
      new PendingOverlay(SAMPLE_CHAIN),
    );
    expect(info.number).toBe(2);
    expect(info.timestamp).toBeGreaterThan(SAMPLE_CHAIN.header(1)?.timestamp ?? Infinity);
    expect(info.sequencerAddress).toBe(config.sequencerAddress);
    expect(info.protocolVersion).toBe(config.latestProtocolVersion);
    expect([transactions, receipts]).toStrictEqual([[], []]);
    expect(state.storageAt(0xc0n, 0x10n)).toBe(0x222n);
    expect(find(1n)).toBeUndefined();
  });

  test.each([
    [{ type: "fixed", price: 9n }, []],
    [{ type: "eip1559", target: 100n, minPrice: 3n, maxChangeDenominator: 8n }, [1]],
  ] as const)("reads the newest receipts only for a usage-based price (%p)", (price, read) => {
    const asked: number[] = [];
    const chain = {
      ...SAMPLE_CHAIN,
      receipts(number: number) {
        asked.push(number);
        return SAMPLE_CHAIN.receipts(number);
      },
    };
    nextBlockInfo({ ...setup(), config: { ...config, l2GasPrice: price } }, chain, 0);
    expect(asked).toStrictEqual([...read]);
  });

  test("uses the executor's newest L1 prices", () => {
    const page = createL1PricesPage();
    const node = { ...setup(), l1PricesPage: page };
    const before = nextBlockInfo(node, SAMPLE_CHAIN, 0).gasPrices.l1Gas;
    expect(before.wei).toBe(node.l1Prices.l1GasWei);
    const friPerWei = { numerator: 2n, denominator: 1n };
    new L1PricesPage(page).set({ l1GasWei: 77n, l1DataGasWei: 78n, friPerWei });
    const { gasPrices } = nextBlockInfo(node, SAMPLE_CHAIN, 0);
    expect(gasPrices.l1Gas).toEqual({ wei: 77n, fri: 154n });
    expect(gasPrices.l1DataGas).toEqual({ wei: 78n, fri: 156n });
  });

  test("uses the chain's time if the wall clock has jumped", () => {
    const page = createClockPage();
    const node = { ...setup(), clockPage: page };
    const timestamp = (): number =>
      pendingBlock(node, SAMPLE_CHAIN, new PendingOverlay(SAMPLE_CHAIN)).info.timestamp;
    const before = timestamp();
    new ClockPage(page).correctionMs = 1_000_000_000;
    expect(timestamp() - before).toBeWithin(1_000_000, 1_000_060);
    expect(unixNowMs(node) - Date.now()).toBeWithin(999_990_000, 1_000_000_001);
  });

  test("is block 0 before the first block", () => {
    const block = pendingBlock(setup(), EMPTY_CHAIN, new PendingOverlay(EMPTY_CHAIN));
    expect(block.info.number).toBe(0);
  });
});

describe("on a full node", () => {
  const follow = followOptions({
    gateways: [{ feeder: "http://g/feeder_gateway", gateway: "http://g/gateway" }],
  });

  test("the next block resembles the newest one, and is not earlier", () => {
    const newest = SAMPLE_CHAIN.header(1);
    if (newest === undefined) throw new TypeError("the sample has no block 1");
    const { sequencerAddress, gasPrices, l1DaMode, protocolVersion, timestamp } = newest;
    const same = { number: 2, sequencerAddress, gasPrices, l1DaMode, protocolVersion };
    const followed = { ...setup(), follow };
    expect(nextBlockInfo(followed, SAMPLE_CHAIN, 0)).toEqual({ ...same, timestamp });
    const laterMs = (timestamp + 5) * 1000 + 999;
    expect(nextBlockInfo(followed, SAMPLE_CHAIN, laterMs)).toEqual({
      ...same,
      timestamp: timestamp + 5,
    });
  });

  test.each(["", "0.9.1", "0.12.3"])("calls at a block of version %p have constants", (version) => {
    const info = { ...nextBlockInfo(setup(), EMPTY_CHAIN, 0), protocolVersion: version };
    const { constants } = contextFor(setup(), info);
    const oldest = contextFor(setup(), { ...info, protocolVersion: "0.13.0" }).constants;
    expect(constants).toBe(oldest);
  });
});
