import type { PositionalLimits } from "./parse-arguments.ts";
import { sequencerOptions } from "./run-options.ts";

/** The options of `config validate`. */
export const validateOptions = {
  preset: sequencerOptions.preset,
  chainConfigPath: sequencerOptions.chainConfigPath,
  chainConfigOverride: sequencerOptions.chainConfigOverride,
};

/** Words that `config validate` takes. */
export const VALIDATE_WORDS: PositionalLimits = {
  words: [{ name: "FILE", summary: "YAML chain configuration" }],
  min: 0,
};
