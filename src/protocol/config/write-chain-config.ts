import { stringify } from "yaml";
import type { ChainConfig } from "./chain-config.ts";
import { chainConfigField } from "./chain-fields.ts";

/** Implements `chainConfigYaml` in `load.ts`, which imports this module on first use. */
export function writeChainConfig(config: ChainConfig): string {
  const { customConstants: _read, customConstantsHashes: _hashes, ...text } = config;
  const value = chainConfigField.write({ ...text, configVersion: null });
  return stringify(value, { lineWidth: 0 });
}
