import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ConfigError } from "#errors/index.ts";
import { hexFromFelt } from "#primitives/index.ts";
import type { ChainConfig, GenesisConfig } from "./chain-config.ts";
import { chainConfigField, type ChainConfigText, checkTogether } from "./chain-fields.ts";
import { BUILTIN_CONSTANTS, loadConstantsFiles } from "./constants-files.ts";
import { BUILT_IN_CONSTANTS } from "./constants/table.ts";
import { IssueList } from "./field.ts";
import {
  type ChainConfigSource,
  type ConfigNotice,
  DEFAULT_SEQUENCER_ADDRESS,
  type LoadedChainConfig,
} from "./source.ts";
import { nearest } from "./nearest.ts";
import { applyOverrides, parseOverrides } from "./overrides.ts";
import { PRESET_TEXTS } from "./preset-assets.ts";
import { isPresetName, PRESETS } from "./presets.ts";
import { type ConfigNode, parseConfigTree } from "./tree.ts";

interface SourceText {
  readonly text: string;
  /** How messages call the source. */
  readonly label: string;
  /** What relative paths start from. */
  readonly folder: string;
}

/** See `loadChainConfig` in `load.ts`, which loads this module on first use. */
export async function loadChainConfigNow(source: ChainConfigSource): Promise<LoadedChainConfig> {
  const { text, label, folder } = await readSource(source);
  const overrides = parseOverrides(source.overrides ?? []);
  const tree = applyOverrides(parse(text, label), overrides);
  const issues = new IssueList();
  const lineOf = (...path: readonly string[]): number => lineAt(tree, path);

  const read = chainConfigField.read(tree, "", issues);
  if (read === undefined) return fail(issues, label);
  checkTogether(read, lineOf, issues);
  const { configVersion: _unused, ...config } = read;
  const constants = await loadConstantsFiles(
    config.versionedConstants,
    folder,
    (version) =>
      lineOf("versioned_constants", version) || lineOf("versioned_constants_path", version),
    issues,
  );
  checkVersions(config, constants.data.keys(), lineOf, issues);
  if (issues.issues.length > 0) return fail(issues, label);

  const notices: ConfigNotice[] = [];
  return {
    config: {
      ...config,
      versionedConstants: constants.paths,
      customConstants: constants.data,
      sequencerAddress: usableSequencerAddress(config, source.role, notices),
      genesis: config.genesis === null ? null : withAbsolutePaths(config.genesis, folder),
    },
    notices,
    source: label,
  };
}

async function readSource(source: ChainConfigSource): Promise<SourceText> {
  const given = [source.path, source.preset, source.text].filter((value) => value !== undefined);
  if (given.length > 1) {
    throw new ConfigError(
      "give one chain configuration: --chain-config-path or --preset, not both",
    );
  }
  if (source.text !== undefined) {
    return { text: source.text, label: "configuration", folder: process.cwd() };
  }
  if (source.preset !== undefined) {
    if (!isPresetName(source.preset)) {
      const match = nearest(source.preset, PRESETS);
      const hint = match === undefined ? "" : `; did you mean ${match}?`;
      throw new ConfigError(
        `there is no preset "${source.preset}"${hint}\nThe presets are: ${PRESETS.join(", ")}`,
      );
    }
    return {
      text: PRESET_TEXTS[source.preset],
      label: `preset ${source.preset}`,
      folder: process.cwd(),
    };
  }
  if (source.path === undefined) {
    const who = source.role === "sequencer" ? "In sequencer mode a" : "A";
    throw new ConfigError(
      `${who} chain configuration is needed: give --chain-config-path FILE or --preset NAME\n` +
        `The presets are: ${PRESETS.join(", ")}`,
    );
  }
  try {
    const path = resolve(source.path);
    return { text: await readFile(path, "utf8"), label: source.path, folder: dirname(path) };
  } catch (cause) {
    const code = (cause as { readonly code?: unknown }).code;
    throw new ConfigError(
      `the chain configuration ${source.path} cannot be read (${String(code)})`,
      [],
      { cause },
    );
  }
}

function parse(text: string, label: string): ConfigNode {
  try {
    return parseConfigTree(text);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${label}: ${error.message}`, error.issues, { cause: error });
  }
}

function lineAt(tree: ConfigNode, path: readonly string[]): number {
  let node = tree;
  let line = 0;
  for (const name of path) {
    const entry = node.kind === "map" ? node.entries.get(name) : undefined;
    if (entry === undefined) return line;
    ({ line, node } = entry);
  }
  return line;
}

function fail(issues: IssueList, label: string): never {
  const list = issues.issues
    .map((issue) =>
      issue.line > 0
        ? issue
        : { ...issue, message: `${issue.message} (from --chain-config-override)` },
    )
    .sort((a, b) => a.line - b.line);
  const count = list.length === 1 ? "1 problem" : `${list.length} problems`;
  throw new ConfigError(`${label}: ${count}`, list, { meta: { source: label } });
}

/** `latest_protocol_version` and every `builtin` need constants. */
function checkVersions(
  config: Omit<ChainConfigText, "configVersion">,
  custom: Iterable<string>,
  lineOf: (...path: readonly string[]) => number,
  issues: IssueList,
): void {
  const known = new Set([...BUILT_IN_CONSTANTS.versions, ...custom]);
  for (const [version, file] of config.versionedConstants) {
    if (file === BUILTIN_CONSTANTS && !BUILT_IN_CONSTANTS.versions.includes(version)) {
      issues.add(
        `versioned_constants.${version}`,
        lineOf("versioned_constants", version),
        `there are no built-in constants of this version (there are: ${BUILT_IN_CONSTANTS.versions.join(", ")})`,
      );
    }
  }
  // A version whose file was refused is known, too: one finding is enough.
  for (const version of config.versionedConstants.keys()) known.add(version);
  if (!known.has(config.latestProtocolVersion)) {
    issues.add(
      "latest_protocol_version",
      lineOf("latest_protocol_version"),
      `expected a version that has constants (${[...known].join(", ")}), got "${config.latestProtocolVersion}"`,
    );
  }
}

function usableSequencerAddress(
  config: Pick<ChainConfig, "sequencerAddress">,
  role: ChainConfigSource["role"],
  notices: ConfigNotice[],
): bigint {
  if (config.sequencerAddress !== 0n || role !== "sequencer") return config.sequencerAddress;
  notices.push({
    code: "SEQUENCER_ADDRESS_REPLACED",
    message:
      `sequencer_address 0x0 is not usable for an application chain: replaced by ` +
      `${hexFromFelt(DEFAULT_SEQUENCER_ADDRESS)}, which nobody has a key to; set your own to collect fees`,
  });
  return DEFAULT_SEQUENCER_ADDRESS;
}

function withAbsolutePaths(genesis: GenesisConfig, folder: string): GenesisConfig {
  return {
    ...genesis,
    classes: genesis.classes.map(({ name, source }) => ({
      name,
      source:
        source.kind === "builtin"
          ? source
          : {
              kind: "files",
              sierraPath: resolve(folder, source.sierraPath),
              casmPath: source.casmPath === null ? null : resolve(folder, source.casmPath),
            },
    })),
  };
}
