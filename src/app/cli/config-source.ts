import {
  configOptions,
  configSettings,
  flagName,
  type FlagSources,
  type OptionTable,
  type OptionValues,
} from "#app/options/index.ts";
import {
  type ChainConfigSource,
  loadChainConfig,
  type LoadedChainConfig,
  PRESETS,
} from "#protocol/config/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import type { CliContext } from "./command.ts";
import { wrongCommandLine } from "./option-errors.ts";
import type { ParsedArguments, PositionalLimits } from "./parse-arguments.ts";
import { readStandardInput } from "./standard-input.ts";

type Parsed = ParsedArguments<typeof configOptions>;

/** Positional arguments of `config validate` and `config show`. */
export const CONFIG_WORDS: PositionalLimits = {
  words: [{ name: "FILE", summary: "YAML chain configuration; - reads standard input" }],
  min: 0,
};

/** File argument for standard input. */
const INPUT = "-";

/**
 * Returns the configuration source that options select: a preset, a file, or a file on top of a preset. If
 * one is on the command line and one in the environment, the command line wins.
 */
export function configSourceOf({
  options,
  sources,
}: {
  readonly options: Pick<Parsed["options"], "chainConfigPath" | "preset">;
  readonly sources: FlagSources;
}): {
  path?: string;
  preset?: string;
} {
  const { chainConfigPath: path, preset } = options;
  if (path === undefined) return preset === undefined ? {} : { preset };
  if (preset === undefined) return { path };
  if (sources.get("chain-config-path") === sources.get("preset")) return { path, preset };
  return sources.get("preset") === "line" ? { preset } : { path };
}

/**
 * Returns the changes that a command line makes to a chain configuration: `--chain-config-override` as given,
 * and the fields set by other options of the table.
 */
export function configChangesOf<T extends OptionTable>(
  table: T,
  {
    options,
    sources,
  }: {
    readonly options: OptionValues<T> & Pick<Parsed["options"], "chainConfigOverride">;
    readonly sources: FlagSources;
  },
): Pick<ChainConfigSource, "overrides" | "overridesFrom" | "settings"> {
  const overrides = options.chainConfigOverride;
  return {
    overrides,
    overridesFrom: flagName(sources, "chain-config-override"),
    settings: configSettings(table, options, sources, overrides),
  };
}

/**
 * Loads the configuration of a `config` command as the sequencer would: from a file argument, standard input,
 * or the options.
 *
 * @throws {ConfigError} when there is no file or more than one, and as `loadChainConfig`
 */
export async function loadCommandConfig(
  parsed: Parsed,
  context: Pick<CliContext, "input" | "signal">,
): Promise<LoadedChainConfig> {
  const [file] = parsed.positionals;
  return loadChainConfig({
    ...(file === undefined ? sourceOrFail(parsed) : await sourceOfWord(file, parsed, context)),
    ...configChangesOf(configOptions, parsed),
    role: "sequencer",
  });
}

/**
 * With a file argument, `--chain-config-path` is a contradiction; a preset from the environment is ignored.
 */
async function sourceOfWord(
  file: string,
  { options, sources }: Parsed,
  context: Pick<CliContext, "input" | "signal">,
): Promise<Pick<ChainConfigSource, "path" | "preset" | "text" | "textFrom">> {
  if (sources.get("chain-config-path") === "line")
    throw wrongCommandLine(file, "cannot be combined with --chain-config-path");
  const preset = sources.get("preset") === "line" ? options.preset : undefined;
  if (file !== INPUT) return { path: file, preset };
  const text = await readStandardInput(context.input, context.signal);
  return { text, textFrom: "standard input", preset };
}

function sourceOrFail(parsed: Parsed): ReturnType<typeof configSourceOf> {
  const source = configSourceOf(parsed);
  if (source.path !== undefined || source.preset !== undefined) return source;
  throw new ConfigError(
    `give one chain configuration: FILE, - for standard input, or --preset NAME\nThe presets are: ${PRESETS.join(", ")}`,
  );
}
