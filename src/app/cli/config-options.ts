import type { PositionalLimits } from "./parse-arguments.ts";
import { sequencerOptions } from "./run-options.ts";

/** Options of `config validate` and `config show`: all those that change the configuration. */
export const configOptions = {
  preset: sequencerOptions.preset,
  chainConfigPath: sequencerOptions.chainConfigPath,
  chainConfigOverride: sequencerOptions.chainConfigOverride,
  blockTime: sequencerOptions.blockTime,
  l2GasPrice: sequencerOptions.l2GasPrice,
};

/** Positional arguments of both commands. */
export const CONFIG_WORDS: PositionalLimits = {
  words: [{ name: "FILE", summary: "YAML chain configuration; - reads standard input" }],
  min: 0,
};
