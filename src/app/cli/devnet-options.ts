import { DEFAULT_RESTRICTED_METHODS } from "#api/rpc/index.ts";
import type { DevnetOptions } from "#app/node/index.ts";
import { changedOptions, DEFAULT_METHODS, flagName, sequencerOptions } from "#app/options/index.ts";
import type { ConfigNotice } from "#protocol/config/index.ts";
import { devnetOnly, notBoth, wrongOption } from "./option-errors.ts";
import type { SourcedOptions } from "./sourced-options.ts";

/** Refuses options that only development chains use, unless they have their defaults. */
function refuseDevnetOptions({ options, sources }: SourcedOptions): void {
  const [changed] = changedOptions(sequencerOptions, options).filter(
    ({ option }) => option.usedBy === "devnet",
  );
  if (changed !== undefined) throw devnetOnly(sources, changed.option.flag);
}

/**
 * Checks the options that set fields of the chain configuration.
 *
 * @param isDevnet - whether the chain is the preset devnet
 * @throws {ConfigError} when two set the same fields, or one is for a development chain
 */
export function checkConfigOptions(
  { options, sources }: SourcedOptions<"blockTime" | "chainId" | "devnet">,
  isDevnet: boolean,
): void {
  const { blockGeneration } = options.devnet;
  const setsInterval = blockGeneration !== null && blockGeneration !== "demand";
  if (setsInterval && options.blockTime !== null) {
    throw notBoth(sources, "block-generation-on", "block-time");
  }
  if (options.chainId !== null && !isDevnet) {
    throw wrongOption(
      sources,
      "chain-id",
      "has an effect only with --preset devnet: other chains use the chain id of their configuration",
    );
  }
}

/**
 * Combines the development features; `null` when they are off.
 *
 * @param isDevnet - whether the chain is the preset devnet
 * @throws {ConfigError} when an option is used on another chain, or dumps are requested without a file
 */
export function devnetOf(values: SourcedOptions, isDevnet: boolean): DevnetOptions | null {
  const { options, sources } = values;
  if (!isDevnet) {
    refuseDevnetOptions(values);
    return null;
  }
  const { blockGeneration, restrictedMethods, gasPrices, dump, ...settings } = options.devnet;
  const { l1Gas, l1DataGas, l2Gas } = gasPrices;
  const { on, path } = dump;
  if (path === null && on !== null && on !== "request") {
    throw wrongOption(sources, "dump-on", `${on} requires --dump-path`);
  }
  return {
    ...settings,
    blocks: blockGeneration === "demand" ? "demand" : "configured",
    restrictedMethods:
      restrictedMethods === DEFAULT_METHODS ? DEFAULT_RESTRICTED_METHODS : restrictedMethods,
    gasPrices: { l1Gas: pair(l1Gas), l1DataGas: pair(l1DataGas), l2Gas: pair(l2Gas) },
    dump: on === null && path === null ? null : dump,
  };
}

/** Returns notices about options that are accepted only for scripts of other programs. */
export function devnetNotices({
  options,
  sources,
}: SourcedOptions<"liteMode">): readonly ConfigNotice[] {
  if (!options.liteMode) return [];
  const message = `${flagName(sources, "lite-mode")} has no effect: roots and hashes are computed in parallel with execution`;
  return [{ code: "OPTION_WITHOUT_EFFECT", message }];
}

type Price = SourcedOptions["options"]["devnet"]["gasPrices"]["l1Gas"];

/** Omits the units that are not set: the chain's own price holds for them. */
function pair({ wei, fri }: Price): { readonly wei?: bigint; readonly fri?: bigint } {
  return { ...(wei === null ? {} : { wei }), ...(fri === null ? {} : { fri }) };
}
