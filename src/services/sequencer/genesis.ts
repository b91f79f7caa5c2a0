import {
  type BundledClass,
  casmClassFromJson,
  casmHashFunctionOf,
  compiledClassHash,
  emptyStateDiff,
  type MutableStateDiff,
  sierraClassFromJson,
  sierraClassHash,
} from "#protocol/chain/index.ts";
import type { ChainConfig, GenesisClassSource, GenesisContract } from "#protocol/config/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import { ConfigError, type ConfigIssue, DecodeError } from "#base/errors/index.ts";
import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import { accountStorage, type DevAccount, devAccounts } from "./dev-accounts.ts";
import type { DevSeed } from "./dev-seed.ts";
import { FAUCET_BALANCE, placeFaucet } from "./dev-faucet.ts";

/** Text of a class and of its compiled code. */
export interface ClassText {
  readonly sierraJson: string;
  readonly casmJson: string;
}

/** Finds the text of a genesis class: one that ships with the program, or files. */
export type ClassSource = (source: GenesisClassSource, name: string) => ClassText;

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

/** Name of the genesis class that development accounts are of. */
const ACCOUNT_CLASS = "account";

/** Name of the class of the account that mints, where it is not {@link ACCOUNT_CLASS}. */
const FAUCET_CLASS = "faucet_account";

/** Findings that an error lists. */
const MAX_ISSUES = 100;

const LOW_128 = (1n << 128n) - 1n;
const U256_BOUND = 1n << 256n;

/** Metadata of the two fee tokens that their storage holds. */
const TOKENS = {
  strk: { name: "Starknet Token", symbol: "STRK", decimals: 18n },
  eth: { name: "Ether", symbol: "ETH", decimals: 18n },
} as const;

/**
 * The state that block 0 of a new chain holds, from the configuration's `genesis` section and the
 * development accounts that were asked for; `undefined` when the chain starts empty.
 *
 * @param options.faucet - add the account that mints on request, where there is a class for it
 * @throws {ConfigError} with an issue per class that cannot be found or read and per contract of
 *   another class; when the section contradicts itself
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
  const classes: BundledClass[] = [];
  for (const [i, { name, source: where }] of section.classes.entries()) {
    const read = readClass(where, name, source, hashFunction);
    if (typeof read === "string") {
      issues.push({ path: `genesis.classes[${i}]`, line: 0, message: read });
      continue;
    }
    const { classHash } = read.bundled;
    hashByName.set(name, classHash);
    if (diff.declaredClasses.has(classHash)) continue;
    diff.declaredClasses.set(classHash, read.compiledClassHash);
    classes.push(read.bundled);
  }
  const isWhole = issues.length === 0;
  for (const [address, contract] of section.contracts) {
    const classHash = classHashOf(contract, hashByName, diff);
    if (typeof classHash === "bigint") diff.deployedContracts.set(address, classHash);
    else if (isWhole) {
      const path = `genesis.contracts.${hexFromFelt(address)}.class`;
      issues.push({ path, line: 0, message: `${classHash} is not one of genesis.classes` });
    }
    if (contract.nonce !== 0n) diff.nonces.set(address, contract.nonce);
    for (const [key, value] of contract.storage) write(diff, address, key, value);
  }
  if (issues.length > 0) {
    const count = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
    throw new ConfigError(`the genesis section: ${count}`, issues.slice(0, MAX_ISSUES));
  }
  const balances = new Balances(diff, config);
  for (const { address, token, amount } of section.balances) balances.add(token, address, amount);
  const accounts =
    dev === null
      ? []
      : createAccounts(dev, { hashByName, isShipped: isShippedAccount(section) }, diff, balances);
  const faucetClass = faucetClassOf(hashByName);
  if (options.faucet && faucetClass !== undefined) {
    const tokens = [config.nativeFeeTokenAddress, config.parentFeeTokenAddress];
    const { address } = placeFaucet(diff, faucetClass, tokens);
    if (diff.deployedContracts.has(config.nativeFeeTokenAddress)) {
      balances.add("strk", address, FAUCET_BALANCE);
    }
  }
  balances.finish();
  return { stateDiff: diff, classes, accounts, classHashes: hashByName };
}

/** The class of the account that mints; `undefined`: there is none. */
export function faucetClassOf(classHashes: Genesis["classHashes"]): Felt | undefined {
  return classHashes.get(FAUCET_CLASS) ?? classHashes.get(ACCOUNT_CLASS);
}

interface ReadClass {
  readonly bundled: BundledClass;
  readonly compiledClassHash: Felt;
}

/** A class with its hashes, or what is wrong with it. */
function readClass(
  where: GenesisClassSource,
  name: string,
  source: ClassSource,
  hashFunction: ReturnType<typeof casmHashFunctionOf>,
): ReadClass | string {
  try {
    const { sierraJson, casmJson } = source(where, name);
    const contractClass = sierraClassFromJson(sierraJson);
    return {
      bundled: { classHash: sierraClassHash(contractClass), contractClass, casmJson },
      compiledClassHash: compiledClassHash(casmClassFromJson(casmJson), hashFunction),
    };
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    if (error instanceof DecodeError) return `${name} is not a class: ${error.message}`;
    throw error;
  }
}

/** The class hash of a contract, or how its section calls a class that is not there. */
function classHashOf(
  { class: reference }: GenesisContract,
  hashByName: ReadonlyMap<string, Felt>,
  diff: MutableStateDiff,
): Felt | string {
  const hash = reference.kind === "name" ? hashByName.get(reference.name) : reference.classHash;
  if (hash !== undefined && diff.declaredClasses.has(hash)) return hash;
  return reference.kind === "name" ? reference.name : hexFromFelt(reference.classHash);
}

/** Whether development accounts are of the class that comes with the program. */
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
  balances: Balances,
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
      write(diff, account.address, key, value);
    }
    balances.add("strk", account.address, dev.balance);
    balances.add("eth", account.address, dev.balance);
  }
  return accounts;
}

/** Balances, supplies and metadata of the two fee tokens, written into their storage. */
class Balances {
  readonly #diff: MutableStateDiff;
  readonly #addresses: Readonly<Record<"strk" | "eth", Felt>>;
  readonly #amounts = { strk: new Map<Felt, bigint>(), eth: new Map<Felt, bigint>() };

  constructor(diff: MutableStateDiff, config: ChainConfig) {
    this.#diff = diff;
    this.#addresses = {
      strk: config.nativeFeeTokenAddress,
      eth: config.parentFeeTokenAddress,
    };
  }

  add(token: "strk" | "eth", address: Felt, amount: bigint): void {
    const amounts = this.#amounts[token];
    amounts.set(address, (amounts.get(address) ?? 0n) + amount);
  }

  finish(): void {
    for (const token of ["strk", "eth"] as const) {
      const contract = this.#addresses[token];
      const amounts = this.#amounts[token];
      if (!this.#diff.deployedContracts.has(contract)) {
        if (amounts.size === 0) continue;
        throw new ConfigError(
          `genesis: balances of ${token} need the token's contract ${hexFromFelt(contract)} in genesis.contracts`,
        );
      }
      let supply = 0n;
      for (const [address, amount] of amounts) {
        supply += amount;
        this.#writeAmount(contract, storageVariableKey("ERC20_balances", address), amount);
      }
      if (supply >= U256_BOUND) {
        throw new ConfigError(`genesis: the balances of ${token} add up to more than 2^256 - 1`);
      }
      this.#writeAmount(contract, storageVariableKey("ERC20_total_supply"), supply);
      const { name, symbol, decimals } = TOKENS[token];
      this.#default(contract, "ERC20_name", feltFromShortString(name));
      this.#default(contract, "ERC20_symbol", feltFromShortString(symbol));
      this.#default(contract, "ERC20_decimals", decimals);
    }
  }

  #writeAmount(contract: Felt, key: Felt, amount: bigint): void {
    write(this.#diff, contract, key, amount & LOW_128);
    write(this.#diff, contract, key + 1n, amount >> 128n);
  }

  /** Writes a variable unless the section sets it. */
  #default(contract: Felt, variable: string, value: Felt): void {
    const key = storageVariableKey(variable);
    if (this.#diff.storageDiffs.get(contract)?.has(key) === true) return;
    write(this.#diff, contract, key, value);
  }
}

/** A state diff holds no zeros of a new chain: they change nothing. */
function write(diff: MutableStateDiff, address: Felt, key: Felt, value: Felt): void {
  if (value === 0n) return;
  let cells = diff.storageDiffs.get(address);
  if (cells === undefined) diff.storageDiffs.set(address, (cells = new Map()));
  cells.set(key, value);
}
