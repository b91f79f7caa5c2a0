import { resolve } from "node:path";
import { ConfigError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { ChainConfig, GenesisConfig } from "./chain-config.ts";
import { chainConfigField, type ChainConfigText } from "./chain-fields.ts";
import { loadConstantsFiles } from "./constants-files.ts";
import { coreContractNotice } from "./core-contract.ts";
import { checkTogether, versionLine } from "./cross-checks.ts";
import { IssueList } from "./issue-list.ts";
import { applyOverrides, parseOverrides, refuseDuplicates } from "./overrides.ts";
import { readSource } from "./read-source.ts";
import {
  type ChainConfigSource,
  type ConfigNotice,
  type ConfigOverride,
  DEFAULT_SEQUENCER_ADDRESS,
  type LoadedChainConfig,
} from "./source.ts";
import { type ConfigNode, mergeMappings } from "./tree.ts";
import { parseConfigTree } from "./yaml-tree.ts";

/** Implements `loadChainConfig` in `load.ts`, which imports this module on first use. */
export async function loadChainConfigNow(source: ChainConfigSource): Promise<LoadedChainConfig> {
  const { text, label, folder, base } = await readSource(source);
  const overrides = [
    ...parseOverrides(source.overrides ?? [], source.overridesFrom),
    ...(source.settings ?? []),
  ];
  refuseDuplicates(overrides);
  const issues = new IssueList();
  const own = parse(text, label, issues);
  const merged = base === undefined ? own : mergeMappings(parse(base, label, issues), own);
  const tree = applyOverrides(merged, overrides);

  const read = chainConfigField.readMembers(tree, "", issues);
  if (read === undefined) return fail(issues, label, overrides);
  checkTogether(read, tree, issues);
  const constants = await loadConstantsFiles(
    read.versionedConstants ?? new Map<string, string>(),
    folder,
    (version) => versionLine(tree, version),
    issues,
  );
  if (issues.count > 0) return fail(issues, label, overrides);

  // No issues were reported, so every member is present.
  const { configVersion: _unused, ...config } = read as ChainConfigText;
  const notices: ConfigNotice[] = [];
  const sequencerAddress = usableSequencerAddress(config, source.role, notices);
  const coreContract = coreContractNotice(config);
  if (coreContract !== undefined) notices.push(coreContract);
  return {
    config: {
      ...config,
      versionedConstants: constants.paths,
      customConstants: constants.data,
      customConstantsHashes: constants.hashes,
      sequencerAddress,
      genesis: config.genesis === null ? null : withAbsolutePaths(config.genesis, folder),
    },
    notices,
    source: label,
    changedFields: new Set([
      ...(base === undefined || own.kind !== "map" ? [] : own.entries.keys()),
      ...overrides.flatMap(({ path: [field] }) => field ?? []),
    ]),
  };
}

function parse(text: string, label: string, issues: IssueList): ConfigNode {
  try {
    return parseConfigTree(text, true, issues);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${label}: ${error.message}`, error.issues, { cause: error });
  }
}

function fail(issues: IssueList, label: string, overrides: readonly ConfigOverride[]): never {
  const list = issues.issues
    .map((issue) => {
      const from = issue.line > 0 ? undefined : optionFor(issue.path, overrides);
      return from === undefined ? issue : { ...issue, message: `${issue.message} (from ${from})` };
    })
    .sort((a, b) => a.line - b.line);
  const more = issues.count - list.length;
  const count = issues.count === 1 ? "1 problem" : `${issues.count} problems`;
  const shown = more > 0 ? `${count}, the first ${list.length} of them` : count;
  throw new ConfigError(`${label}: ${shown}`, list, { meta: { source: label } });
}

/** Returns the option that set the value at `path`, inside it or around it. */
function optionFor(path: string, overrides: readonly ConfigOverride[]): string | undefined {
  return overrides.find((override) => {
    const own = override.path.join(".");
    return own === path || path.startsWith(`${own}.`) || own.startsWith(`${path}.`);
  })?.from;
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
      `${hexFromFelt(DEFAULT_SEQUENCER_ADDRESS)}, for which no key exists; set your own to collect fees`,
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
