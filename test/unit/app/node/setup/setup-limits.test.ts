import { beforeAll, describe, expect, test } from "bun:test";
import { MAX_ADMISSION_THREADS } from "#protocol/config/index.ts";
import {
  chainIdFelt,
  constantsFor,
  contextFor,
  mempoolLimits,
  type NodeSetup,
  producerSettings,
  statelessLimits,
} from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { type ChainConfig, loadChainConfig } from "#protocol/config/index.ts";
import { fakeHeader } from "#test/helpers/fake-chain.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";

let config: ChainConfig;
beforeAll(async () => {
  ({ config } = await loadChainConfig({ preset: "devnet", role: "sequencer" }));
});

function setup(changed: Partial<ChainConfig> = {}): NodeSetup {
  const l1Prices = fixedL1Prices(gasPriceOptions());
  return {
    config: { ...config, ...changed },
    files: nodeFiles("/data", null),
    chargeFees: true,
    l1Prices,
    executionMemoryBytes: 1,
    ...ORDINARY_SETUP,
  };
}

test("keeps all node files in its folder, except the operator's key", () => {
  const files = nodeFiles("/data", null);
  expect(files.signingKey).toEqual({ path: "/data/block-signing.key", mayCreate: true });
  expect(nodeFiles("/data", "/keys/k").signingKey).toEqual({ path: "/keys/k", mayCreate: false });
  const { chainDatabase, mempoolDatabase, executionJournal, commitJournal } = files;
  const paths = [
    chainDatabase,
    mempoolDatabase,
    files.compiledDatabase,
    executionJournal,
    commitJournal,
    files.validationJournal,
    ...files.validatorJournals,
  ];
  expect(new Set(paths).size).toBe(6 + MAX_ADMISSION_THREADS);
  expect(paths.every((path) => path.startsWith("/data/"))).toBe(true);
});

test("takes the mempool's limits from the configuration", () => {
  const limits = {
    mempoolMaxTransactions: 1,
    mempoolMaxBytes: 2,
    mempoolMaxTransactionsPerAccount: 3,
    mempoolMaxBytesPerAccount: 4,
    mempoolMaxDeclareTransactions: 5,
    mempoolTtlMs: 6,
    mempoolMinTipBump: 0.7,
    mempoolFullPolicy: "reject_new",
  } as const;
  expect(mempoolLimits({ ...config, ...limits, mempoolMode: "Tip" })).toEqual({
    maxTransactions: 1,
    maxBytes: 2,
    maxTransactionsPerAccount: 3,
    maxBytesPerAccount: 4,
    maxDeclareTransactions: 5,
    ttlMs: 6,
    minTipBump: 0.7,
    fullPolicy: "reject_new",
    order: "tip",
  });
  expect(mempoolLimits({ ...config, mempoolMode: "Timestamp" }).order).toBe("timestamp");
});

describe("the block producer", () => {
  test("prices L2 gas as configured", () => {
    const fixed = setup({ l2GasPrice: { type: "fixed", price: 7n } });
    expect(producerSettings(fixed).l2GasPricing).toEqual({ kind: "fixed", priceFri: 7n });
    const moving = {
      type: "eip1559",
      target: 1n,
      minPrice: 2n,
      maxChangeDenominator: 3n,
    } as unknown as ChainConfig["l2GasPrice"];
    expect(producerSettings(setup({ l2GasPrice: moving })).l2GasPricing).toEqual({
      kind: "eip1559",
      targetGas: 1n,
      minPriceFri: 2n,
      maxChangeDenominator: 3n,
    });
  });

  test("takes the block capacity in the configuration's form", () => {
    const { bouncer } = producerSettings(setup());
    const { shape, capacity } = config.bouncer;
    expect(bouncer.limits.l1Gas).toBe(capacity.l1Gas);
    expect(bouncer.provingGasCosts === undefined).toBe(shape === "steps");
  });

  test("takes chain id and fee tokens from the configuration", () => {
    const settings = producerSettings(setup());
    expect(settings.chainId).toBe(BigInt(`0x${Buffer.from(config.chainId).toString("hex")}`));
    expect(settings.chainId).toBe(chainIdFelt(config));
    expect(settings.feeTokens).toEqual({
      strk: config.nativeFeeTokenAddress,
      eth: config.parentFeeTokenAddress,
    });
  });
});

test("derives stateless limits from the protocol version and the fee mode", () => {
  expect(statelessLimits(setup({ latestProtocolVersion: "0.14.4" }))).toEqual({
    maxCalldataLength: 5_000,
    chargeFees: true,
    takesFree: true,
    maxFeeTransactions: false,
  });
  const old = setup({ latestProtocolVersion: "0.13.6" });
  expect(statelessLimits({ ...old, chargeFees: false })).toMatchObject({
    chargeFees: false,
    maxFeeTransactions: true,
  });
});

test("caches constants per version and the context per block", () => {
  const used = setup();
  const version = config.latestProtocolVersion;
  expect(constantsFor(used.config, version)).toBe(constantsFor(used.config, version));
  const info = { ...fakeHeader({ number: 3 }), protocolVersion: version };
  const context = contextFor(used, info);
  expect(contextFor(used, info)).toBe(context);
  expect(context.info).toBe(info);
  expect(contextFor(used, { ...info })).not.toBe(context);
});

test("weighs re-executed blocks by the chain's costs, without limits", () => {
  const { bouncer } = contextFor(setup(), fakeHeader({ number: 1 }));
  const { provingGasCosts = {} } = producerSettings(setup()).bouncer;
  expect(provingGasCosts.pedersen).toBeGreaterThan(0n);
  expect(bouncer).toEqual({ limits: {}, provingGasCosts });
});
