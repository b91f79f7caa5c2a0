import type { L1Options } from "#app/node/setup/l1-options.ts";
import type { DevnetOptions, NodeOptions } from "#app/node/setup/node-options.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { CONNECTION_LIMITS, METHOD_LIMITS } from "./serving.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";

/** Default options of a development chain. */
export const DEVNET_OPTIONS: DevnetOptions = {
  blocks: "configured",
  asyncSubmission: false,
  restrictedMethods: null,
  startTime: null,
  gasPrices: {},
  dump: null,
};

/** L1 options with these endpoints, as from the command line. */
export function l1Options(...endpoints: readonly string[]): L1Options {
  return { endpoints, finality: 10, acceptedDivergences: [], gasPricePollMs: 10_000, oracle: null };
}

/**
 * Options of a sequencer with the preset devnet, on free ports, with two accounts and no
 * development features.
 */
export async function nodeOptions(changed: Partial<NodeOptions>): Promise<NodeOptions> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  return {
    version: "0.0.0",
    commit: null,
    name: "test",
    role: "sequencer",
    basePath: "/nowhere",
    ephemeral: false,
    reset: false,
    newChain: false,
    chain: config,
    chainSource: "preset devnet",
    notices: [],
    configOut: null,
    l1: null,
    gasPrices: { l1GasPriceWei: null, blobGasPriceWei: null, strkPerEth: null },
    chargeFee: true,
    allowBootstrap: false,
    executionMemoryBytes: 2 ** 28,
    warmUpTransfers: 0,
    storage: { keepProofs: "archive", pruneHistory: "archive", trieCacheBytes: 2 ** 25 },
    maxSteps: null,
    admissionThreads: 1,
    compilerMemoryBytes: 2 ** 30,
    compilerTimeoutMs: 60_000,
    compilerNiceness: 19,
    startTimeoutMs: 30_000,
    stallTimeoutMs: 20_000,
    devAccounts: {
      count: 2,
      seed: ownSeed(0n),
      balance: 10n ** 21n,
      given: { count: null, seed: null, balance: null },
    },
    devnet: null,
    privateKeyFile: null,
    rpc: {
      host: "127.0.0.1",
      port: 0,
      cors: "local",
      allowedHosts: null,
      connections: CONNECTION_LIMITS,
      timeoutMs: 30_000,
      rateLimit: null,
      methods: METHOD_LIMITS,
      maxRequestSizeBytes: 100_000,
      maxResponseSizeBytes: 10_000_000,
      maxBatch: 2,
      maxSubscriptionsPerConnection: 0,
      adminTokenFile: null,
      adminPort: 0,
    },
    metrics: { host: "127.0.0.1", port: 0, isOptional: false },
    gateway: null,
    follow: null,
    sourceGraceMs: 60_000,
    replication: null,
    trustClock: false,
    log: { level: "error", format: "json" },
    signal: AbortSignal.abort(),
    ...changed,
  };
}
