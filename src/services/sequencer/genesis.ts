import {
  type BundledClass,
  casmHashFunctionOf,
  emptyStateDiff,
  type MutableStateDiff,
} from "#protocol/chain/index.ts";
import type { ChainConfig } from "#protocol/config/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { accountStorage, type DevAccount, devAccounts } from "./dev-accounts.ts";
import type { DevSeed } from "./dev-seed.ts";
import { FAUCET_BALANCE, placeFaucet } from "./dev-faucet.ts";
import { GenesisBalances, writeCell } from "./genesis-balances.ts";
import type { ClassSource } from "./genesis-class.ts";
import {
  accountClassOf,
  classHashOf,
  faucetClassOf,
  isShippedAccount,
  readGenesisClasses,
  requireNoIssues,
  unknownClassIssue,
} from "./genesis-classes.ts";
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
  const hashFunction = casmHashFunctionOf(config.latestProtocolVersion);
  const found = readGenesisClasses(section, source, hashFunction);
  const { hashByName, byHash: classes, read } = found;
  for (const [classHash, { compiledClassHash }] of classes) {
    if (compiledClassHash === null) diff.deprecatedDeclaredClasses.add(classHash);
    else diff.declaredClasses.set(classHash, compiledClassHash);
  }
  const issues = [...found.issues];
  const isWhole = issues.length === 0;
  for (const [address, contract] of section.contracts) {
    const classHash = classHashOf(contract, found);
    if (typeof classHash === "bigint") diff.deployedContracts.set(address, classHash);
    else if (isWhole) issues.push(unknownClassIssue(address, classHash));
    if (contract.nonce !== 0n) diff.nonces.set(address, contract.nonce);
    for (const [key, value] of contract.storage) writeCell(diff, address, key, value);
  }
  if (isWhole && options.faucet) issues.push(...lackingFunctions(config, read, diff));
  requireNoIssues(issues);
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

function createAccounts(
  dev: DevAccountsRequest,
  {
    hashByName,
    isShipped,
  }: { readonly hashByName: ReadonlyMap<string, Felt>; readonly isShipped: boolean },
  diff: MutableStateDiff,
  balances: GenesisBalances,
): DevAccount[] {
  const classHash = accountClassOf({ hashByName });
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
