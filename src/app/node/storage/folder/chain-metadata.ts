import { isJsonObject, parseJson } from "#base/codec/index.ts";
import { type ChainConfig, genesisHash } from "#protocol/config/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import { type DevAccountOptions } from "../../setup/node-options.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { type DevSeed, devSeedFromText, devSeedText } from "#services/sequencer/index.ts";

/**
 * What the blocks of a chain depend on and their headers do not say, as text by name. Kept in the
 * chain's database from its first start on.
 *
 * - `native_fee_token_address`, `parent_fee_token_address`: blocks charge fees there;
 * - `genesis`: {@link genesisHash} of the section that block 0 was made from, or `none`;
 * - `versioned_constants.<version>`: SHA-256 of the constants that blocks of that version were made
 *   with, or `builtin`;
 * - `role`: `full node` where the blocks were taken from a gateway, else there is none;
 * - `dev_accounts`, `dev_seed`, `dev_balance`: the development accounts of block 0.
 */
export type ChainMetadata = Readonly<Record<string, string>>;

/** Where {@link ChainMetadata} is kept; older versions wrote it under this name. */
export const METADATA_KEY = "chain-facts";

/** The newest block as far as a configuration has to fit to it. */
export interface NewestBlock {
  readonly number: number;
  readonly protocolVersion: string;
}

/** What the metadata of a chain that was followed says; a chain that was made here says nothing. */
const FOLLOWED: ChainMetadata = { role: "full node" };

/** Whether a full node took the blocks of a chain from a gateway. */
export function isFollowed({ role }: ChainMetadata): boolean {
  return role === FOLLOWED["role"];
}

const NONE = "none";
const CONSTANTS = "versioned_constants.";

/** The metadata of a chain that would be made now. */
export function metadataOfNewChain(
  config: ChainConfig,
  dev: DevAccountOptions | null,
): ChainMetadata {
  return {
    native_fee_token_address: hexFromFelt(config.nativeFeeTokenAddress),
    parent_fee_token_address: hexFromFelt(config.parentFeeTokenAddress),
    genesis: config.genesis === null ? NONE : genesisHash(config.genesis),
    ...constantsEntry(config, config.latestProtocolVersion),
    ...(dev === null
      ? { dev_accounts: "0" }
      : {
          dev_accounts: String(dev.count),
          dev_seed: devSeedText(dev.seed),
          dev_balance: String(dev.balance),
        }),
  };
}

function constantsEntry(config: ChainConfig, version: string): ChainMetadata {
  return { [CONSTANTS + version]: config.customConstantsHashes.get(version) ?? "builtin" };
}

/**
 * The metadata of a chain after a start with `config`, which {@link requireSameChain} accepted.
 * What is not known of a chain is taken from the configuration, its development accounts excepted.
 */
export function metadataOfNextStart(
  metadata: ChainMetadata,
  config: ChainConfig,
  newest: NewestBlock,
): ChainMetadata {
  const { dev_accounts: _unknown, genesis, ...rest } = metadataOfNewChain(config, null);
  const assumed = genesis === undefined || genesis === NONE ? rest : { ...rest, genesis };
  const used = Object.entries(metadata).filter(
    // From its next block on the chain is made here.
    ([name]) => name !== "role" && (!name.startsWith(CONSTANTS) || isUsed(name, newest)),
  );
  return { ...assumed, ...Object.fromEntries(used) };
}

/** The metadata of a chain that a full node begins to follow: how block 0 was made is not known. */
export function metadataOfFollowed(config: ChainConfig): ChainMetadata {
  const { dev_accounts: _unknown, genesis: _made, ...rest } = metadataOfNewChain(config, null);
  return { ...rest, ...FOLLOWED };
}

/** The metadata of a chain that was imported without a configuration. */
export function metadataOfImported(): ChainMetadata {
  return FOLLOWED;
}

/** Whether blocks may have been made with these constants: none is newer than the newest block. */
function isUsed(name: string, { protocolVersion }: NewestBlock): boolean {
  return compareProtocolVersions(name.slice(CONSTANTS.length), protocolVersion) <= 0;
}

/**
 * Refuses a configuration that contradicts the blocks that a chain has.
 *
 * @param folder - the data directory, for the message
 * @throws {ConfigError} with an issue per difference: what the chain has, and what was configured
 */
export function requireSameChain(
  metadata: ChainMetadata,
  config: ChainConfig,
  dev: DevAccountOptions | null,
  newest: NewestBlock,
  folder: string,
): void {
  const issues: ConfigIssue[] = [];
  const add = (path: string, message: string): number => issues.push({ path, line: 0, message });
  const { latestProtocolVersion } = config;
  if (compareProtocolVersions(latestProtocolVersion, newest.protocolVersion) < 0) {
    add(
      "latest_protocol_version",
      `the newest block, ${newest.number}, has ${newest.protocolVersion}, the configuration ${latestProtocolVersion}: a chain never goes back`,
    );
  }
  issues.push(...differencesOf(metadata, config, dev, newest));
  if (dev !== null) checkDevAccounts(metadata, dev, add);
  refuse(issues, folder);
}

/**
 * The same for a full node, whose blocks say themselves what version they have.
 *
 * @throws {ConfigError} as {@link requireSameChain}
 */
export function requireSameFollowed(
  metadata: ChainMetadata,
  config: ChainConfig,
  newest: NewestBlock,
  folder: string,
): void {
  refuse(differencesOf(metadata, config, null, newest), folder);
}

function refuse(issues: readonly ConfigIssue[], folder: string): void {
  if (issues.length === 0) return;
  const count = issues.length === 1 ? "1 difference" : `${issues.length} differences`;
  throw new ConfigError(
    `the configuration is not that of the chain in ${folder}: ${count}`,
    issues,
  );
}

/** What of the configuration contradicts the blocks. */
function differencesOf(
  metadata: ChainMetadata,
  config: ChainConfig,
  dev: DevAccountOptions | null,
  newest: NewestBlock,
): readonly ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const add = (path: string, message: string): number => issues.push({ path, line: 0, message });
  const now = metadataOfNewChain(config, dev);
  const differs = (name: string): boolean =>
    metadata[name] !== undefined && metadata[name] !== now[name];
  for (const name of ["native_fee_token_address", "parent_fee_token_address"]) {
    if (differs(name)) add(name, `the chain has ${metadata[name]}, the configuration ${now[name]}`);
  }
  // A configuration without the section says nothing about block 0.
  if (config.genesis !== null && differs("genesis")) {
    const made =
      metadata["genesis"] === NONE ? "without one" : `from another (${metadata["genesis"]})`;
    add("genesis", `the chain was made ${made}, the configuration has ${now["genesis"]}`);
  }
  for (const [name, value] of Object.entries(metadata)) {
    if (!name.startsWith(CONSTANTS) || !isUsed(name, newest)) continue;
    const [configured] = Object.values(constantsEntry(config, name.slice(CONSTANTS.length)));
    if (configured === value) continue;
    add(name, `the chain's blocks were made with ${value}, the configuration has ${configured}`);
  }
  return issues;
}

/** A default gives way to what the chain has; an option that says otherwise would do nothing. */
function checkDevAccounts(
  metadata: ChainMetadata,
  dev: DevAccountOptions,
  add: (path: string, message: string) => void,
): void {
  const has = metadata["dev_accounts"];
  if (has === undefined) return;
  const rows = [
    [dev.given.count, "development accounts", has, dev.count],
    [dev.given.seed, "accounts of the seed", metadata["dev_seed"], devSeedText(dev.seed)],
    [dev.given.balance, "accounts with the balance", metadata["dev_balance"], dev.balance],
  ] as const;
  for (const [option, what, made, asked] of rows) {
    if (option === null || (made ?? "none") === String(asked)) continue;
    const chain = what === "development accounts" ? `${made} ${what}` : `${what} ${made ?? "none"}`;
    add(
      option,
      `the chain has ${chain}, not ${asked}; leave it out, or make a new chain elsewhere`,
    );
  }
}

/** The development accounts that a chain was made with; `undefined` when that is not known. */
export function devAccountsOf(
  metadata: ChainMetadata,
): { readonly count: number; readonly seed: DevSeed } | undefined {
  const { dev_accounts: count, dev_seed: seed = "0" } = metadata;
  return count === undefined ? undefined : { count: Number(count), seed: devSeedFromText(seed) };
}

/** The form in which the database keeps metadata. */
export function encodeMetadata(metadata: ChainMetadata): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(metadata));
}

/** @returns no metadata for a chain that was made before it was kept */
export function decodeMetadata(bytes: Uint8Array | undefined): ChainMetadata {
  if (bytes === undefined) return {};
  const value = parseJson(new TextDecoder().decode(bytes));
  if (!isJsonObject(value)) return {};
  const metadata: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    if (typeof text === "string") metadata[name] = text;
  }
  return metadata;
}
