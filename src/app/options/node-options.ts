import { folderOptions, nameOptions, productionOptions } from "./chain-options.ts";
import { compilerOptions } from "./compiler-options.ts";
import { configOptions } from "./config-options.ts";
import {
  devAccountOptions,
  devnetChainOptions,
  devnetOptions,
  genesisClassOptions,
  reportOptions,
} from "./dev-options.ts";
import { gatewayOptions, metricsOptions } from "./endpoint-options.ts";
import { explorerOptions } from "./explorer-options.ts";
import { forkOptions } from "./fork-options.ts";
import { l1Options } from "./l1-options.ts";
import { logOptions } from "./log-options.ts";
import { priceOptions } from "./price-options.ts";
import { replicationOptions, storeOptions } from "./replication-options.ts";
import { rpcOptions } from "./rpc-options.ts";
import { storageOptions } from "./storage-options.ts";
import { switchOption } from "./build-option.ts";
import type { OptionValues } from "./option.ts";
import { followOptions, syncOptions } from "./sync-options.ts";
import { threadOptions } from "./thread-options.ts";

/** Options whose settings the node's parts read as they are declared. */
export const settingOptions = {
  ...nameOptions,
  ...productionOptions,
  ...threadOptions,
  ...compilerOptions,
  storage: storageOptions,
  gasPrices: priceOptions,
  ...reportOptions,
  ...syncOptions,
  log: logOptions,
};

/** Options that are combined with each other, or with the chain configuration, before a part reads them. */
export const combinedOptions = {
  ...folderOptions,
  ...configOptions,
  rpc: rpcOptions,
  l1: l1Options,
  devAccounts: devAccountOptions,
  devnet: devnetOptions,
  ...devnetChainOptions,
  ...genesisClassOptions,
  fork: forkOptions,
  follow: followOptions,
  replication: replicationOptions,
  ...storeOptions,
  metrics: metricsOptions,
  gateway: gatewayOptions,
  ...explorerOptions,
};

/** The options of `config show`: the chain configuration, and the network that a chain forks. */
export const showOptions = { ...configOptions, fork: forkOptions };

/** The options of a running node. */
export const nodeOptions = {
  /** The switch of the `node` command and the root form; `sequencer` accepts it as well. */
  sequencer: switchOption({
    flag: "sequencer",
    brief: "run the sequencer instead of a full node",
    group: "Chain",
    summary: "run in the sequencer role; without it the node is a full node",
  }),
  ...combinedOptions,
  ...settingOptions,
};

/** The settings of a running node, before parts combine them. */
export type NodeValues = OptionValues<typeof nodeOptions>;

/** The options of `sequencer`. */
export const sequencerOptions = {
  ...nodeOptions,
  sequencer: switchOption({
    flag: "sequencer",
    group: "Chain",
    summary: "implied by this command",
  }),
};
