import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { ChainConfig } from "./chain-config.ts";

/**
 * Sequencer address that replaces 0x0: the short string `appchain`.
 *
 * No key for it exists: fees collected there cannot be spent.
 */
export const DEFAULT_SEQUENCER_ADDRESS: Felt = feltFromShortString("appchain");

/** Value that overrides a configuration field. */
export interface ConfigOverride {
  /** Path from the outermost name: `["bouncer_config", "block_max_capacity", "gas"]`. */
  readonly path: readonly string[];
  /** The value as YAML text. */
  readonly text: string;
  /** Option that set it, for messages. */
  readonly from: string;
}

/** Source of a configuration: a preset, or `path` or `text`, alone or on top of a preset. */
export interface ChainConfigSource {
  readonly path?: string | undefined;
  readonly preset?: string | undefined;
  /** YAML text; relative paths in it start at the working folder. */
  readonly text?: string | undefined;
  /** Name of `text` in messages. */
  readonly textFrom?: string | undefined;
  readonly overrides?: readonly string[] | undefined;
  /** Option that set `overrides`, for messages; default `--chain-config-override`. */
  readonly overridesFrom?: string | undefined;
  /** Fields set by dedicated options. A field that `overrides` also sets is refused. */
  readonly settings?: readonly ConfigOverride[] | undefined;
  /** In sequencer mode a `sequencer_address` of 0x0 is replaced. */
  readonly role: "sequencer" | "full";
}

/** Notice to the operator about a valid configuration. */
export interface ConfigNotice {
  /** Stable identifier: `SEQUENCER_ADDRESS_REPLACED`. */
  readonly code: string;
  readonly message: string;
}

/** Loaded, valid configuration. */
export interface LoadedChainConfig {
  readonly config: ChainConfig;
  readonly notices: readonly ConfigNotice[];
  /** Name of the source in messages: a file path or `preset NAME`. */
  readonly source: string;
  /** Top-level fields that overrides and options set, and a configuration on top of a preset. */
  readonly changedFields: ReadonlySet<string>;
}
