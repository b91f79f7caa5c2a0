import { flagName } from "#app/options/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { type ChainConfig, loadChainConfig } from "#protocol/config/index.ts";
import type { SnapshotTrust } from "#services/snapshot/index.ts";
import { configSourceOf } from "../config-source.ts";
import { wrongOption } from "../option-errors.ts";
import type { ParsedArguments } from "../parse-arguments.ts";
import type { snapshotImportOptions } from "./options.ts";

type Parsed = ParsedArguments<typeof snapshotImportOptions>;

/** What an import is verified against. */
export interface ImportTrust extends SnapshotTrust {
  /** Chain configuration; `null` when none is set, and its checks are left to the start of a node. */
  readonly config: ChainConfig | null;
}

/**
 * Returns what the snapshot is verified against.
 *
 * @throws {ConfigError} without a hash or a key, with two different keys, or with a wrong configuration
 */
export async function trustOf(parsed: Parsed): Promise<ImportTrust> {
  const { options, sources } = parsed;
  const config = await configOf(parsed);
  const configured = config?.sequencerPublicKey ?? null;
  const { blockHash, publicKey: fromOption } = options;
  if (fromOption !== null && configured !== null && fromOption !== configured) {
    const message = "differs from sequencer_public_key of the configuration";
    throw wrongOption(sources, "public-key", message);
  }
  const publicKey = fromOption ?? configured;
  if (blockHash === null && publicKey === null) {
    throw new ConfigError(
      "a snapshot proves nothing by itself: set --block-hash, or set the key that signs the chain's blocks with --public-key or as sequencer_public_key of --chain-config-path or --preset",
    );
  }
  return { config, blockHash, publicKey };
}

async function configOf(parsed: Parsed): Promise<ChainConfig | null> {
  const source = configSourceOf(parsed);
  if (source.path === undefined && source.preset === undefined) return null;
  const { config } = await loadChainConfig({
    ...source,
    overrides: parsed.options.chainConfigOverride,
    overridesFrom: flagName(parsed.sources, "chain-config-override"),
    role: "full",
  });
  return config;
}
