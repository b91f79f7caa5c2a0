import { beforeAll, describe, expect, test } from "bun:test";
import { devnetSetup, resumeTime } from "#app/node/setup/devnet-setup.ts";
import { nextBlockInfo } from "#app/node/setup/environment.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { executorSettings, type NodeSetup, producerSettings } from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { type ChainConfig, loadChainConfig } from "#protocol/config/index.ts";
import { closesInMs, DevEnvironment } from "#services/sequencer/index.ts";
import { DEVNET_OPTIONS } from "#test/helpers/node-options.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";

let config: ChainConfig;
beforeAll(async () => {
  ({ config } = await loadChainConfig({ preset: "devnet", role: "sequencer" }));
});

function setup(blocks: "configured" | "demand" | null): NodeSetup {
  const l1Prices = fixedL1Prices(gasPriceOptions());
  const files = nodeFiles("/nowhere", null);
  const devnet = devnetSetup({ devnet: blocks === null ? null : { ...DEVNET_OPTIONS, blocks } });
  return {
    config,
    files,
    chargeFees: true,
    l1Prices,
    executionMemoryBytes: 2 ** 28,
    ...ORDINARY_SETUP,
    ...devnet,
  };
}

/** Later than the sample chain's blocks. */
const NOW_MS = 1_900_000_000_000;

describe("devnet setup", () => {
  test("is absent by default", () => {
    expect(setup(null).devnet).toBeNull();
  });

  test("changes time and prices of estimates in every thread", () => {
    const made = setup("configured");
    const before = nextBlockInfo(made, SAMPLE_CHAIN, NOW_MS);
    expect(before.timestamp).toBe(NOW_MS / 1000);
    // As another thread sees it: through the page alone.
    const environment = new DevEnvironment(made.devnet?.page ?? new SharedArrayBuffer(0));
    environment.setTime(2_000_000_000, NOW_MS);
    environment.setPrices({ l2Gas: { fri: 77n } });
    const after = nextBlockInfo(made, SAMPLE_CHAIN, NOW_MS);
    expect(after.timestamp).toBe(2_000_000_000);
    expect(after.gasPrices).toEqual({
      ...before.gasPrices,
      l2Gas: { ...before.gasPrices.l2Gas, fri: 77n },
    });
  });

  test("continues at the time of a chain that is ahead", () => {
    const made = setup("configured");
    const ahead = Math.floor(Date.now() / 1000) + 10_000;
    const header = SAMPLE_CHAIN.header(1);
    if (header === undefined) throw new TypeError("the sample chain has block 1");
    resumeTime(made, { latestNumber: () => 1, header: () => ({ ...header, timestamp: ahead }) });
    const { timestamp } = nextBlockInfo(made, SAMPLE_CHAIN, Date.now());
    expect(timestamp).toBeGreaterThanOrEqual(ahead);
    expect(timestamp).toBeLessThan(ahead + 60);
  });

  test("accepts unsigned transactions of impersonated accounts only on a development chain", () => {
    expect(producerSettings(setup("configured")).takesImpersonated).toBe(true);
    expect(producerSettings(setup(null)).takesImpersonated).toBe(false);
  });

  test("closes blocks only on request in demand mode", () => {
    const asked = {
      openForMs: 1e12,
      transactionCount: 1,
      full: false,
      idle: true,
      uncommittedBlocks: 0,
      quietForMs: 1e12,
      sinceCloseMs: 1e12,
      coming: 0,
      lastCommitMs: 0,
    };
    const { schedule } = executorSettings(setup("demand"));
    expect(closesInMs(schedule, asked)).toBe(Infinity);
    expect(closesInMs(schedule, { ...asked, full: true })).toBe(0);
    expect(executorSettings(setup("configured"))).toEqual(executorSettings(setup(null)));
  });
});
