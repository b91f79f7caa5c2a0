import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { ChainConfig } from "./chain-config.ts";

/**
 * The sequencer address that takes the place of 0x0: the short string `appchain`.
 *
 * Nobody holds a key to it: collected fees stay there.
 */
export const DEFAULT_SEQUENCER_ADDRESS: Felt = feltFromShortString("appchain");

/** A value that takes the place of a configuration's. */
export interface ConfigOverride {
  /** Names from the outside in: `["bouncer_config", "block_max_capacity", "gas"]`. */
  readonly path: readonly string[];
  /** The value as YAML text. */
  readonly text: string;
  /** The option that gave it, for messages. */
  readonly from: string;
}

/** Where a configuration comes from: a preset, or `path` or `text` by themselves or on top of a preset. */
export interface ChainConfigSource {
  /** YAML file. */
  readonly path?: string | undefined;
  /** Name of a preset. */
  readonly preset?: string | undefined;
  /** YAML text; relative paths in it start from the working folder. */
  readonly text?: string | undefined;
  /** How messages call `text`. */
  readonly textFrom?: string | undefined;
  /** Values of `--chain-config-override`, in order. */
  readonly overrides?: readonly string[] | undefined;
  /** The option that gave `overrides`, for messages; default `--chain-config-override`. */
  readonly overridesFrom?: string | undefined;
  /** Fields that options of their own set. A field that `overrides` set, too, is refused. */
  readonly settings?: readonly ConfigOverride[] | undefined;
  /** In sequencer mode a `sequencer_address` of 0x0 is replaced. */
  readonly role: "sequencer" | "full";
}

/** Something the operator should know about a configuration that is valid. */
export interface ConfigNotice {
  /** Stable identifier: `SEQUENCER_ADDRESS_REPLACED`. */
  readonly code: string;
  readonly message: string;
}

/** A valid configuration. */
export interface LoadedChainConfig {
  readonly config: ChainConfig;
  readonly notices: readonly ConfigNotice[];
  /** How to call the source in messages: a file path or `preset NAME`. */
  readonly source: string;
}
