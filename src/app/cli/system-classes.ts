import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { CLASS_ENDINGS, SYSTEM_CLASS_FILES, SYSTEM_CLASS_STEMS } from "#app/options/index.ts";
import {
  type ChainConfig,
  type GenesisClass,
  type GenesisContract,
  PUBLIC_ADDRESSES,
} from "#protocol/config/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { inspectPath } from "./inspect-path.ts";

/** A contract whose class the user can replace. */
interface SystemContract {
  readonly name: string;
  /** Possible file names without ending. */
  readonly stems: readonly [string, string];
  readonly address: (config: ChainConfig) => Felt;
}

const CONTRACTS: readonly SystemContract[] = [
  {
    name: "system_strk",
    stems: SYSTEM_CLASS_STEMS.strk,
    address: ({ nativeFeeTokenAddress }) => nativeFeeTokenAddress,
  },
  {
    name: "system_eth",
    stems: SYSTEM_CLASS_STEMS.eth,
    address: ({ parentFeeTokenAddress }) => parentFeeTokenAddress,
  },
  {
    name: "system_udc",
    stems: SYSTEM_CLASS_STEMS.udc,
    address: () => PUBLIC_ADDRESSES.universalDeployer,
  },
  {
    name: "system_legacy_udc",
    stems: SYSTEM_CLASS_STEMS.legacyUdc,
    address: () => PUBLIC_ADDRESSES.legacyUniversalDeployer,
  },
];

/**
 * Returns the configuration with system contracts replaced by the classes of a folder; contracts without a
 * file keep theirs.
 *
 * @param directory - as it was written
 * @param wrong - creates the error of the option
 * @throws {ConfigError} when the folder does not exist, has no system class, or two for one contract
 */
export function withSystemClasses(
  config: ChainConfig,
  directory: string,
  wrong: (why: string) => ConfigError,
): ChainConfig {
  const { genesis } = config;
  if (genesis === null) return config;
  const names = new Set(namesIn(directory, wrong));
  const classes: GenesisClass[] = [...genesis.classes];
  const contracts = new Map<Felt, GenesisContract>(genesis.contracts);
  for (const { name, stems, address } of CONTRACTS) {
    const found = stems
      .flatMap((stem) => CLASS_ENDINGS.map((ending) => stem + ending))
      .filter((file) => names.has(file));
    if (found.length > 1) {
      throw wrong(`${directory} has ${found.join(" and ")}, which are for the same contract`);
    }
    const [file] = found;
    if (file === undefined) continue;
    const sierraPath = join(resolve(directory), file);
    classes.push({ name, source: { kind: "files", sierraPath, casmPath: null } });
    const at = address(config);
    const { nonce = 0n, storage = new Map<Felt, Felt>() } = contracts.get(at) ?? {};
    contracts.set(at, { class: { kind: "name", name }, nonce, storage });
  }
  if (classes.length === genesis.classes.length) {
    throw wrong(`${directory} has no file of a system class: ${SYSTEM_CLASS_FILES}`);
  }
  return { ...config, genesis: { ...genesis, classes, contracts } };
}

function namesIn(directory: string, wrong: (why: string) => ConfigError): readonly string[] {
  const place = resolve(directory);
  const found = inspectPath(() => statSync(place, { throwIfNoEntry: false }), directory, wrong);
  if (found === undefined) throw wrong(`there is no ${directory}`);
  if (!found.isDirectory()) throw wrong(`${directory} is not a folder`);
  return inspectPath(() => readdirSync(place), directory, wrong);
}
