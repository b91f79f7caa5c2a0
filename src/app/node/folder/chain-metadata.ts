import { isJsonObject, parseJson } from "#base/codec/index.ts";
import { type ChainConfig, genesisHash } from "#protocol/config/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import { type DevAccountOptions } from "../setup/node-options.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";

/**
 * What the blocks of a chain depend on and their headers do not say, as text by name. Kept in the
 * chain's database from its first start on.
 *
 * - `native_fee_token_address`, `parent_fee_token_address`: blocks charge fees there;
 * - `genesis`: {@link genesisHash} of the section that block 0 was made from, or `none`;
 * - `versioned_constants.<version>`: SHA-256 of the constants that blocks of that version were made
 *   with, or `builtin`;
 * - `dev_accounts`, `dev_seed`, `dev_balance`: the development accounts of block 0.
 */
export type ChainFacts = Readonly<Record<string, string>>;

/** The newest block as far as a configuration has to fit to it. */
export interface NewestBlock {
  readonly number: number;
  readonly protocolVersion: string;
}

const NONE = "none";
const CONSTANTS = "versioned_constants.";

/** The facts of a chain that would be made now. */
export function factsOfNewChain(config: ChainConfig, dev: DevAccountOptions | null): ChainFacts {
  return {
    native_fee_token_address: hexFromFelt(config.nativeFeeTokenAddress),
    parent_fee_token_address: hexFromFelt(config.parentFeeTokenAddress),
    genesis: config.genesis === null ? NONE : genesisHash(config.genesis),
    ...constantsFact(config, config.latestProtocolVersion),
    ...(dev === null
      ? { dev_accounts: "0" }
      : {
          dev_accounts: String(dev.count),
          dev_seed: String(dev.seed),
          dev_balance: String(dev.balance),
        }),
  };
}

function constantsFact(config: ChainConfig, version: string): ChainFacts {
  return { [CONSTANTS + version]: config.customConstantsHashes.get(version) ?? "builtin" };
}

/**
 * The facts of a chain after a start with `config`, which {@link requireSameChain} accepted. What is
 * not known of a chain is taken from the configuration, its development accounts excepted.
 */
export function factsOfNextStart(
  facts: ChainFacts,
  config: ChainConfig,
  newest: NewestBlock,
): ChainFacts {
  const { dev_accounts: _unknown, genesis, ...rest } = factsOfNewChain(config, null);
  const assumed = genesis === undefined || genesis === NONE ? rest : { ...rest, genesis };
  const used = Object.entries(facts).filter(
    ([name]) => !name.startsWith(CONSTANTS) || isUsed(name, newest),
  );
  return { ...assumed, ...Object.fromEntries(used) };
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
  facts: ChainFacts,
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
  const now = factsOfNewChain(config, dev);
  const differs = (name: string): boolean => facts[name] !== undefined && facts[name] !== now[name];
  for (const name of ["native_fee_token_address", "parent_fee_token_address"]) {
    if (differs(name)) add(name, `the chain has ${facts[name]}, the configuration ${now[name]}`);
  }
  // A configuration without the section says nothing about block 0.
  if (config.genesis !== null && differs("genesis")) {
    const made = facts["genesis"] === NONE ? "without one" : `from another (${facts["genesis"]})`;
    add("genesis", `the chain was made ${made}, the configuration has ${now["genesis"]}`);
  }
  for (const [name, value] of Object.entries(facts)) {
    if (!name.startsWith(CONSTANTS) || !isUsed(name, newest)) continue;
    const [configured] = Object.values(constantsFact(config, name.slice(CONSTANTS.length)));
    if (configured === value) continue;
    add(name, `the chain's blocks were made with ${value}, the configuration has ${configured}`);
  }
  if (dev !== null) checkDevAccounts(facts, dev, add);
  if (issues.length === 0) return;
  const count = issues.length === 1 ? "1 difference" : `${issues.length} differences`;
  throw new ConfigError(
    `the configuration is not that of the chain in ${folder}: ${count}`,
    issues,
  );
}

/** A default gives way to what the chain has; an option that says otherwise would do nothing. */
function checkDevAccounts(
  facts: ChainFacts,
  dev: DevAccountOptions,
  add: (path: string, message: string) => void,
): void {
  const has = facts["dev_accounts"];
  if (has === undefined) return;
  const rows = [
    [dev.given.count, "development accounts", has, dev.count],
    [dev.given.seed, "accounts of the seed", facts["dev_seed"], dev.seed],
    [dev.given.balance, "accounts with the balance", facts["dev_balance"], dev.balance],
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
export function devAccountsOfFacts(
  facts: ChainFacts,
): { readonly count: number; readonly seed: bigint } | undefined {
  const { dev_accounts: count, dev_seed: seed = "0" } = facts;
  return count === undefined ? undefined : { count: Number(count), seed: BigInt(seed) };
}

/** The form in which the database keeps facts. */
export function encodeFacts(facts: ChainFacts): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(facts));
}

/** @returns no facts for a chain that was made before they were kept */
export function decodeFacts(bytes: Uint8Array | undefined): ChainFacts {
  if (bytes === undefined) return {};
  const value = parseJson(new TextDecoder().decode(bytes));
  if (!isJsonObject(value)) return {};
  const facts: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    if (typeof text === "string") facts[name] = text;
  }
  return facts;
}
