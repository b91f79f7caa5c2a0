import { chainOptions } from "./chain-options.ts";
import { devOptions } from "./dev-options.ts";
import { endpointOptions } from "./endpoint-options.ts";
import { logOptions } from "./log-options.ts";
import { switchOption } from "./option.ts";
import { priceOptions } from "./price-options.ts";
import { rpcOptions } from "./rpc-options.ts";

/** The switch that only the `node` command and the root form have. */
export const sequencerSwitch = switchOption({
  flag: "sequencer",
  group: "Chain",
  summary: "run in sequencer role; without it the node is a full node (not built yet)",
});

/** The options of a running node (seed section 4.5 and more), a file per group. */
export const sequencerOptions = {
  ...chainOptions,
  ...rpcOptions,
  ...priceOptions,
  ...devOptions,
  ...endpointOptions,
  ...logOptions,
};

/** The options of `node` and of the root form. */
export const nodeOptions = { sequencer: sequencerSwitch, ...sequencerOptions };
