import { chainOptions } from "./chain-options.ts";
import { devOptions } from "./dev-options.ts";
import { devnetOptions } from "./devnet-options.ts";
import { devnetPriceOptions } from "./devnet-price-options.ts";
import { dumpOptions } from "./dump-options.ts";
import { endpointOptions } from "./endpoint-options.ts";
import { genesisClassOptions } from "./genesis-class-options.ts";
import { l1Options } from "./l1-options.ts";
import { logOptions } from "./log-options.ts";
import { switchOption } from "./option.ts";
import { priceOptions } from "./price-options.ts";
import { replicationOptions } from "./replication-options.ts";
import { rpcOptions } from "./rpc-options.ts";
import { storageOptions } from "./storage-options.ts";
import { syncOptions } from "./sync-options.ts";

/** The switch of the `node` command and the root form; `sequencer` accepts it as well. */
export const sequencerSwitch = switchOption({
  flag: "sequencer",
  group: "Chain",
  summary: "run in the sequencer role; without it the node is a full node",
});

/** The options of a running node, a file per group. */
export const nodeOptions = {
  sequencer: sequencerSwitch,
  ...chainOptions,
  ...storageOptions,
  ...rpcOptions,
  ...l1Options,
  ...priceOptions,
  ...devOptions,
  ...devnetOptions,
  ...devnetPriceOptions,
  ...genesisClassOptions,
  ...dumpOptions,
  ...syncOptions,
  ...replicationOptions,
  ...endpointOptions,
  ...logOptions,
};

/** The options of `sequencer`. */
export const sequencerOptions = {
  ...nodeOptions,
  sequencer: switchOption({
    flag: "sequencer",
    group: "Chain",
    summary: "implied by this command",
  }),
};
