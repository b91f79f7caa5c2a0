import {
  type ChainConfigSource,
  loadChainConfig,
  type LoadedChainConfig,
  PRESETS,
} from "#protocol/config/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { chainSettings } from "./chain-settings.ts";
import type { CliContext } from "./command.ts";
import type { configOptions } from "./config-options.ts";
import { type FlagSources, flagName, wrongCommandLine } from "./given.ts";
import type { ParsedArguments } from "./parse-arguments.ts";
import { readStandardInput } from "./standard-input.ts";

type Given = ParsedArguments<typeof configOptions>;

/** Stands for standard input as a file argument. */
const INPUT = "-";

/**
 * Returns the configuration source that options select: a preset, a file, or a file on top of a preset. If
 * one is on the command line and one in the environment, the command line wins.
 */
export function configSourceOf({
  options,
  given,
}: {
  readonly options: Pick<Given["options"], "chainConfigPath" | "preset">;
  readonly given: FlagSources;
}): {
  path?: string;
  preset?: string;
} {
  const { chainConfigPath: path, preset } = options;
  if (path === undefined) return preset === undefined ? {} : { preset };
  if (preset === undefined) return { path };
  if (given.get("chain-config-path") === given.get("preset")) return { path, preset };
  return given.get("preset") === "line" ? { preset } : { path };
}

/** Returns the overrides, and the fields set by dedicated options. */
export function configChangesOf({
  options,
  given,
}: Pick<Given, "options" | "given">): Pick<
  ChainConfigSource,
  "overrides" | "overridesFrom" | "settings"
> {
  const { chainConfigOverride, blockTime, l2GasPrice } = options;
  const from = (flag: string): string => flagName(given, flag);
  return {
    overrides: chainConfigOverride,
    overridesFrom: from("chain-config-override"),
    settings: chainSettings({
      blockTime: blockTime === null ? null : { text: blockTime, from: from("block-time") },
      l2GasPrice: l2GasPrice === null ? null : { price: l2GasPrice, from: from("l2-gas-price") },
      overrides: chainConfigOverride,
    }),
  };
}

/**
 * Loads the configuration of a `config` command as the sequencer would: from a file argument, standard input,
 * or the options.
 *
 * @throws {ConfigError} when there is no file or more than one, and as `loadChainConfig`
 */
export async function loadGivenConfig(
  parsed: Given,
  context: Pick<CliContext, "input" | "signal">,
): Promise<LoadedChainConfig> {
  const [file] = parsed.positionals;
  return loadChainConfig({
    ...(file === undefined ? sourceOrFail(parsed) : await sourceOfWord(file, parsed, context)),
    ...configChangesOf(parsed),
    role: "sequencer",
  });
}

/**
 * With a file argument, `--chain-config-path` is a contradiction; a preset from the environment is ignored.
 */
async function sourceOfWord(
  file: string,
  { options, given }: Given,
  context: Pick<CliContext, "input" | "signal">,
): Promise<Pick<ChainConfigSource, "path" | "preset" | "text" | "textFrom">> {
  if (given.get("chain-config-path") === "line")
    throw wrongCommandLine(file, "cannot be combined with --chain-config-path");
  const preset = given.get("preset") === "line" ? options.preset : undefined;
  if (file !== INPUT) return { path: file, preset };
  const text = await readStandardInput(context.input, context.signal);
  return { text, textFrom: "standard input", preset };
}

function sourceOrFail(parsed: Given): ReturnType<typeof configSourceOf> {
  const source = configSourceOf(parsed);
  if (source.path !== undefined || source.preset !== undefined) return source;
  throw new ConfigError(
    `give one chain configuration: FILE, - for standard input, or --preset NAME\nThe presets are: ${PRESETS.join(", ")}`,
  );
}
