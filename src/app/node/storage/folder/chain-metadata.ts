import { isJsonObject, parseJson } from "#base/codec/index.ts";
import { type ChainConfig, genesisHash } from "#protocol/config/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import { type DevAccountOptions } from "../../setup/node-options.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { type DevSeed, devSeedFromText, devSeedText } from "#services/sequencer/index.ts";

/**
 * Properties that the blocks of a chain depend on and that their headers lack, as text by name. Stored in the
 * chain's database from its first start on.
 *
 * - `native_fee_token_address`, `parent_fee_token_address`: contracts in which blocks charge fees;
 * - `genesis`: {@link genesisHash} of the section that block 0 was made from, or `none`;
 * - `versioned_constants.<version>`: SHA-256 of the constants that blocks of that version were made with, or
 *   `builtin`;
 * - `role`: `full node` if the blocks come from a gateway, otherwise absent;
 * - `dev_accounts`, `dev_seed`, `dev_balance`: the development accounts of block 0.
 */
export type ChainMetadata = Readonly<Record<string, string>>;

/** Key of {@link ChainMetadata} in the database; older versions wrote it under this name. */
export const METADATA_KEY = "chain-facts";

/** Properties of the newest block that a configuration has to match. */
export interface NewestBlock {
  readonly number: number;
  readonly protocolVersion: string;
}

/** Metadata that marks a followed chain; a chain produced by this node lacks it. */
const FOLLOWED: ChainMetadata = { role: "full node" };

/** Whether the blocks of a chain come from a gateway. */
export function isFollowed({ role }: ChainMetadata): boolean {
  return role === FOLLOWED["role"];
}

const NONE = "none";
const CONSTANTS = "versioned_constants.";

/** Metadata of a chain created with this configuration. */
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
 * Metadata of a chain after a start with `config`, which {@link requireSameChain} accepted. Values unknown of
 * a chain are taken from the configuration, except its development accounts.
 */
export function metadataOfNextStart(
  metadata: ChainMetadata,
  config: ChainConfig,
  newest: NewestBlock,
): ChainMetadata {
  const { dev_accounts: _unknown, genesis, ...rest } = metadataOfNewChain(config, null);
  const assumed = genesis === undefined || genesis === NONE ? rest : { ...rest, genesis };
  const used = Object.entries(metadata).filter(
    // From the next block on, this node produces the chain.
    ([name]) => name !== "role" && (!name.startsWith(CONSTANTS) || isUsed(name, newest)),
  );
  return { ...assumed, ...Object.fromEntries(used) };
}

/** Metadata of a chain that a full node starts to follow: it does not know how block 0 was made. */
export function metadataOfFollowed(config: ChainConfig): ChainMetadata {
  const { dev_accounts: _unknown, genesis: _made, ...rest } = metadataOfNewChain(config, null);
  return { ...rest, ...FOLLOWED };
}

/** Metadata of a chain that was imported without a configuration. */
export function metadataOfImported(): ChainMetadata {
  return FOLLOWED;
}

/** Whether blocks may have used these constants: their version is at most the newest block's. */
function isUsed(name: string, { protocolVersion }: NewestBlock): boolean {
  return compareProtocolVersions(name.slice(CONSTANTS.length), protocolVersion) <= 0;
}

/**
 * Rejects a configuration that contradicts the blocks of a chain.
 *
 * @param folder - data directory, for the message
 * @throws {ConfigError} with an issue per difference: the chain's value, and the configured one
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
      `the newest block, ${newest.number}, has ${newest.protocolVersion}, the configuration ${latestProtocolVersion}: a chain's version never decreases`,
    );
  }
  issues.push(...differencesOf(metadata, config, dev, newest));
  if (dev !== null) checkDevAccounts(metadata, dev, add);
  refuse(issues, folder);
}

/**
 * As {@link requireSameChain}, for a full node. It does not compare protocol versions: blocks carry their
 * own.
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

/** Returns the configured values that contradict the blocks. */
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
  // A configuration without a genesis section is compatible with any block 0.
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

/** Rejects explicit options that differ from the chain: they would have no effect. Defaults may differ. */
function checkDevAccounts(
  metadata: ChainMetadata,
  dev: DevAccountOptions,
  add: (path: string, message: string) => void,
): void {
  const has = metadata["dev_accounts"];
  if (has === undefined) return;
  const rows = [
    [dev.setBy.count, "development accounts", has, dev.count],
    [dev.setBy.seed, "accounts of the seed", metadata["dev_seed"], devSeedText(dev.seed)],
    [dev.setBy.balance, "accounts with the balance", metadata["dev_balance"], dev.balance],
  ] as const;
  for (const [option, what, made, requested] of rows) {
    if (option === null || (made ?? "none") === String(requested)) continue;
    const chain = what === "development accounts" ? `${made} ${what}` : `${what} ${made ?? "none"}`;
    add(
      option,
      `the chain has ${chain}, not ${requested}; omit the option, or create a new chain in another folder`,
    );
  }
}

/** Returns the development accounts that a chain was created with; `undefined` if unknown. */
export function devAccountsOf(
  metadata: ChainMetadata,
): { readonly count: number; readonly seed: DevSeed } | undefined {
  const { dev_accounts: count, dev_seed: seed = "0" } = metadata;
  return count === undefined ? undefined : { count: Number(count), seed: devSeedFromText(seed) };
}

/** Encodes metadata for the database. */
export function encodeMetadata(metadata: ChainMetadata): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(metadata));
}

/** Decodes metadata. @returns an empty record for a chain from before metadata was stored */
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
