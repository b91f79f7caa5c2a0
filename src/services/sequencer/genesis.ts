import {
  type BundledClass,
  casmHashFunctionOf,
  emptyStateDiff,
  type MutableStateDiff,
} from "#protocol/chain/index.ts";
import type { ChainConfig, GenesisContract } from "#protocol/config/index.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { accountStorage, type DevAccount, devAccounts } from "./dev-accounts.ts";
import type { DevSeed } from "./dev-seed.ts";
import { FAUCET_BALANCE, placeFaucet } from "./dev-faucet.ts";
import { GenesisBalances, writeCell } from "./genesis-balances.ts";
import { type ClassSource, type ReadGenesisClass, readGenesisClass } from "./genesis-class.ts";
import { lackingFunctions } from "./system-functions.ts";
import { minterKeys } from "./token-variables.ts";

/** Development accounts to create; each gets `balance` of both tokens, in fri and wei. */
export interface DevAccountsRequest {
  readonly count: number;
  readonly seed: DevSeed;
  readonly balance: bigint;
}

/** State before the first transaction. */
export interface Genesis {
  readonly stateDiff: MutableStateDiff;
  readonly classes: readonly BundledClass[];
  readonly accounts: readonly DevAccount[];
  /** Class hashes by the names of the section. */
  readonly classHashes: ReadonlyMap<string, Felt>;
}

/** Name of the genesis class of development accounts. */
const ACCOUNT_CLASS = "account";

/** Name of the class of the minting account, if it differs from {@link ACCOUNT_CLASS}. */
const FAUCET_CLASS = "faucet_account";

const MAX_ISSUES = 100;

/**
 * Builds the state of block 0 of a new chain from the configuration's `genesis` section and the requested
 * development accounts; `undefined` if the chain starts empty.
 *
 * @param options.faucet - whether to add the account that mints on request, if there is a class for it
 * @throws {ConfigError} with one issue per class that cannot be found or read and per contract of an unknown
 * class; when the section contradicts itself, or a class from a file lacks a function that a development
 * chain calls
 */
export function buildGenesis(
  config: ChainConfig,
  dev: DevAccountsRequest | null,
  source: ClassSource,
  options: { readonly faucet: boolean },
): Genesis | undefined {
  const section = config.genesis;
  if (section === null) return undefined;
  const diff = emptyStateDiff();
  const issues: ConfigIssue[] = [];
  const hashFunction = casmHashFunctionOf(config.latestProtocolVersion);
  const hashByName = new Map<string, Felt>();
  const classes = new Map<Felt, ReadGenesisClass>();
  const read: ReadGenesisClass[] = [];
  for (const [i, each] of section.classes.entries()) {
    const found = readGenesisClass(each, source, hashFunction);
    if (typeof found === "string") {
      issues.push({ path: `genesis.classes[${i}]`, line: 0, message: found });
      continue;
    }
    const { classHash } = found.bundled;
    read.push(found);
    hashByName.set(each.name, classHash);
    if (classes.has(classHash)) continue;
    classes.set(classHash, found);
    if (found.compiledClassHash === null) diff.deprecatedDeclaredClasses.add(classHash);
    else diff.declaredClasses.set(classHash, found.compiledClassHash);
  }
  const isWhole = issues.length === 0;
  for (const [address, contract] of section.contracts) {
    const classHash = classHashOf(contract, hashByName, classes);
    if (typeof classHash === "bigint") diff.deployedContracts.set(address, classHash);
    else if (isWhole) {
      const path = `genesis.contracts.${hexFromFelt(address)}.class`;
      issues.push({ path, line: 0, message: `${classHash} is not one of genesis.classes` });
    }
    if (contract.nonce !== 0n) diff.nonces.set(address, contract.nonce);
    for (const [key, value] of contract.storage) writeCell(diff, address, key, value);
  }
  if (isWhole && options.faucet) issues.push(...lackingFunctions(config, read, diff));
  if (issues.length > 0) {
    const count = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
    throw new ConfigError(`the genesis section: ${count}`, issues.slice(0, MAX_ISSUES));
  }
  const balances = new GenesisBalances(diff, config);
  for (const { address, token, amount } of section.balances) balances.add(token, address, amount);
  const accounts =
    dev === null
      ? []
      : createAccounts(dev, { hashByName, isShipped: isShippedAccount(section) }, diff, balances);
  const faucetClass = faucetClassOf(hashByName);
  if (options.faucet && faucetClass !== undefined) {
    const tokens = [config.nativeFeeTokenAddress, config.parentFeeTokenAddress].flatMap((token) => {
      const used = classes.get(diff.deployedContracts.get(token) ?? 0n);
      return used === undefined ? [] : [{ address: token, minterKeys: minterKeys(used.source) }];
    });
    const { address } = placeFaucet(diff, faucetClass, tokens);
    if (diff.deployedContracts.has(config.nativeFeeTokenAddress)) {
      balances.add("strk", address, FAUCET_BALANCE);
    }
  }
  balances.finish(classes);
  const bundled = [...classes.values()].map((each) => each.bundled);
  return { stateDiff: diff, classes: bundled, accounts, classHashes: hashByName };
}

/** Returns the class of the minting account; `undefined` if none. */
export function faucetClassOf(classHashes: Genesis["classHashes"]): Felt | undefined {
  return classHashes.get(FAUCET_CLASS) ?? classHashes.get(ACCOUNT_CLASS);
}

/** Returns the class hash of a contract, or the section's reference as text if the class is missing. */
function classHashOf(
  { class: reference }: GenesisContract,
  hashByName: ReadonlyMap<string, Felt>,
  classes: ReadonlyMap<Felt, unknown>,
): Felt | string {
  const hash = reference.kind === "name" ? hashByName.get(reference.name) : reference.classHash;
  if (hash !== undefined && classes.has(hash)) return hash;
  return reference.kind === "name" ? reference.name : hexFromFelt(reference.classHash);
}

/** Whether development accounts have the class that ships with the program. */
function isShippedAccount({ classes }: NonNullable<ChainConfig["genesis"]>): boolean {
  return classes.find(({ name }) => name === ACCOUNT_CLASS)?.source.kind === "builtin";
}

function createAccounts(
  dev: DevAccountsRequest,
  {
    hashByName,
    isShipped,
  }: { readonly hashByName: ReadonlyMap<string, Felt>; readonly isShipped: boolean },
  diff: MutableStateDiff,
  balances: GenesisBalances,
): DevAccount[] {
  const classHash = hashByName.get(ACCOUNT_CLASS);
  if (classHash === undefined) {
    throw new ConfigError(
      `development accounts need a class named ${ACCOUNT_CLASS} in genesis.classes`,
    );
  }
  const accounts = devAccounts(dev.seed, dev.count, classHash);
  for (const account of accounts) {
    diff.deployedContracts.set(account.address, classHash);
    for (const [key, value] of accountStorage(account.publicKey, isShipped)) {
      writeCell(diff, account.address, key, value);
    }
    balances.add("strk", account.address, dev.balance);
    balances.add("eth", account.address, dev.balance);
  }
  return accounts;
}
