import type { L1Options } from "#app/node/setup/l1-options.ts";
import type { DevnetOptions, NodeOptions } from "#app/node/setup/node-options.ts";
import { defaultsOf, nodeOptions as declaredOptions, settingOptions } from "#app/options/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { CONNECTION_LIMITS, METHOD_LIMITS } from "./serving.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";

const { blockGeneration: _default, ...devnetSettings } = defaultsOf(declaredOptions.devnet);

/** Devnet options of a node, all with their defaults. */
export const DEVNET_OPTIONS: DevnetOptions = {
  ...devnetSettings,
  blocks: "configured",
  restrictedMethods: null,
  gasPrices: {},
  dump: null,
};

/** L1 options with these endpoints, as from the command line. */
export function l1Options(...endpoints: readonly string[]): L1Options {
  return { ...defaultsOf(declaredOptions.l1), endpoints, finality: 10, oracle: null };
}

/**
 * Options of a sequencer with the preset devnet, on free ports, with two accounts and no
 * development features.
 */
export async function nodeOptions(changed: Partial<NodeOptions>): Promise<NodeOptions> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const storageSettings = defaultsOf(settingOptions.storage);
  const { isExternal: _local, ...rpcSettings } = defaultsOf(declaredOptions.rpc);
  return {
    ...defaultsOf(settingOptions),
    version: "0.0.0",
    commit: () => null,
    name: "test",
    role: "sequencer",
    basePath: "/nowhere",
    ephemeral: false,
    reset: false,
    newChain: false,
    chain: config,
    chainSource: "preset devnet",
    notices: [],
    l1: null,
    executionMemoryBytes: 2 ** 28,
    warmUpTransfers: 0,
    storage: { ...storageSettings, keepProofs: "archive", trieCacheBytes: 2 ** 25 },
    compilerMemoryBytes: 2 ** 30,
    devAccounts: {
      count: 2,
      seed: ownSeed(0n),
      balance: 10n ** 21n,
      setBy: { count: null, seed: null, balance: null },
    },
    devnet: null,
    rpc: {
      ...rpcSettings,
      host: "127.0.0.1",
      port: 0,
      connections: CONNECTION_LIMITS,
      rateLimit: null,
      methods: METHOD_LIMITS,
      maxRequestSizeBytes: 100_000,
      maxResponseSizeBytes: 10_000_000,
      maxBatch: 2,
      maxSubscriptionsPerConnection: 0,
      adminPort: 0,
    },
    metrics: { host: "127.0.0.1", port: 0, isOptional: false },
    gateway: null,
    explorer: false,
    follow: null,
    fork: null,
    replication: null,
    log: { level: "error", format: "json" },
    signal: AbortSignal.abort(),
    ...changed,
  };
}
