import {
  casmHashFunctionOf,
  emptyStateDiff,
  type MutableStateDiff,
} from "#protocol/chain/index.ts";
import type { ChainConfig } from "#protocol/config/index.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { accountStorage, type DevAccount, devAccounts } from "./dev-accounts.ts";
import { devFaucet, FAUCET_BALANCE } from "./dev-faucet.ts";
import { groupsOf, type MinimumBalance, raiseBalances, type ReadStorage } from "./fork-balances.ts";
import type { DevAccountsRequest, Genesis } from "./genesis.ts";
import { writeCell } from "./genesis-balances.ts";
import type { ClassSource } from "./genesis-class.ts";
import {
  accountClassOf,
  classHashOf,
  faucetClassOf,
  type GenesisClasses,
  type GenesisSection,
  isShippedAccount,
  readGenesisClasses,
  requireNoIssues,
  unknownClassIssue,
} from "./genesis-classes.ts";
import { lackingFunctions } from "./system-functions.ts";

/** Values of the origin in the state of the fork block. All throw {@link OriginError} on a failed request. */
export interface OriginValues {
  readonly storageAt: ReadStorage;
  /** 0 if there is no contract. */
  classHashAt(contractAddress: Felt): Promise<Felt>;
  isDeclared(classHash: Felt): Promise<boolean>;
}

/** Dependencies of {@link buildForkGenesis}. */
export interface ForkGenesisDeps {
  readonly source: ClassSource;
  readonly origin: OriginValues;
  /** Whether to add the account that sends tokens on request, if there is a class for it. */
  readonly faucet: boolean;
}

/**
 * Builds what the first block of a fork adds to the state of the origin: development accounts and the faucet
 * with their balances, contracts of the genesis section at addresses where the origin has none, and classes
 * that the origin lacks. Accounts and contracts that the origin has stay as they are.
 *
 * The fee tokens are the origin's. Balances are written into their storage, and none is lowered.
 *
 * @param config - with the fee tokens of the origin
 * @returns `undefined` without a genesis section
 * @throws {ConfigError} as {@link buildGenesis}, and when the origin has no native fee token
 * @throws {OriginError} when the origin does not supply a value
 */
export async function buildForkGenesis(
  config: ChainConfig,
  dev: DevAccountsRequest | null,
  { source, origin, faucet }: ForkGenesisDeps,
): Promise<Genesis | undefined> {
  const section = config.genesis;
  if (section === null) return undefined;
  const hashFunction = casmHashFunctionOf(config.latestProtocolVersion);
  const classes = readGenesisClasses(section, source, hashFunction);
  const diff = emptyStateDiff();
  const issues: ConfigIssue[] = [...classes.issues];
  issues.push(...(await placeContracts(diff, { section, classes, config, origin })));
  if (faucet && issues.length === 0) issues.push(...lackingFunctions(config, classes.read, diff));
  requireNoIssues(issues);
  const tokens = await tokensOf(config, origin);
  const accounts = dev === null ? [] : devAccounts(dev.seed, dev.count, accountClassOf(classes));
  const faucetClass = faucet ? faucetClassOf(classes.hashByName) : undefined;
  const funded = new Map<Felt, MinimumBalance>();
  const fund = (address: Felt, amount: bigint): void =>
    void funded.set(address, { address, amount });
  for (const { address } of accounts) fund(address, dev?.balance ?? 0n);
  const isShipped = isShippedAccount(section);
  if (dev !== null) {
    await placeAccounts(diff, accounts, { classHash: accountClassOf(classes), isShipped, origin });
  }
  if (faucetClass !== undefined) {
    const account = devFaucet(faucetClass);
    fund(account.address, FAUCET_BALANCE);
    await placeAccounts(diff, [account], { classHash: faucetClass, isShipped: true, origin });
  }
  for (const [name, token] of tokens) {
    const own = section.balances.filter((balance) => balance.token === name);
    await raiseBalances(diff, token, [...own, ...funded.values()], origin.storageAt);
  }
  const declared = await declareClasses(diff, section, classes, origin);
  return { stateDiff: diff, classes: declared, accounts, classHashes: classes.hashByName };
}

/** Deploys the section's contracts, except fee tokens, where the origin has none. @returns unknown classes */
async function placeContracts(
  diff: MutableStateDiff,
  {
    section,
    classes,
    config,
    origin,
  }: {
    readonly section: GenesisSection;
    readonly classes: GenesisClasses;
    readonly config: ChainConfig;
    readonly origin: OriginValues;
  },
): Promise<readonly ConfigIssue[]> {
  const tokens: ReadonlySet<Felt> = new Set([
    config.nativeFeeTokenAddress,
    config.parentFeeTokenAddress,
  ]);
  const issues: ConfigIssue[] = [];
  for (const [address, contract] of section.contracts) {
    const classHash = classHashOf(contract, classes);
    if (typeof classHash !== "bigint") {
      if (classes.issues.length === 0) issues.push(unknownClassIssue(address, classHash));
      continue;
    }
    if (tokens.has(address) || isFeeToken(classes, classHash)) continue;
    if ((await origin.classHashAt(address)) !== 0n) continue;
    diff.deployedContracts.set(address, classHash);
    if (contract.nonce !== 0n) diff.nonces.set(address, contract.nonce);
    for (const [key, value] of contract.storage) writeCell(diff, address, key, value);
  }
  return issues;
}

function isFeeToken({ byHash }: GenesisClasses, classHash: Felt): boolean {
  const source = byHash.get(classHash)?.source;
  return source?.kind === "builtin" && source.builtin === "fee_token";
}

/**
 * Returns the fee tokens that the origin has.
 *
 * @throws {ConfigError} when it lacks the native one
 */
async function tokensOf(
  { nativeFeeTokenAddress: strk, parentFeeTokenAddress: eth }: ChainConfig,
  origin: OriginValues,
): Promise<readonly (readonly ["strk" | "eth", Felt])[]> {
  const [native, parent] = await Promise.all([origin.classHashAt(strk), origin.classHashAt(eth)]);
  if (native === 0n) {
    throw new ConfigError(
      `the forked network has no contract at ${hexFromFelt(strk)}, the native fee token: name its token with --chain-config-override native_fee_token_address=0x...`,
    );
  }
  return parent === 0n || eth === strk
    ? [["strk", strk]]
    : [
        ["strk", strk],
        ["eth", eth],
      ];
}

/** Deploys the accounts that the origin does not have. */
async function placeAccounts(
  diff: MutableStateDiff,
  accounts: readonly DevAccount[],
  {
    classHash,
    isShipped,
    origin,
  }: {
    readonly classHash: Felt;
    readonly isShipped: boolean;
    readonly origin: Pick<OriginValues, "classHashAt">;
  },
): Promise<void> {
  for (const group of groupsOf(accounts)) {
    const hashes = await Promise.all(group.map(({ address }) => origin.classHashAt(address)));
    for (const [i, { address, publicKey }] of group.entries()) {
      if (hashes[i] !== 0n) continue;
      diff.deployedContracts.set(address, classHash);
      diff.storageDiffs.set(address, new Map(accountStorage(publicKey, isShipped)));
    }
  }
}

/**
 * Declares the classes of deployed contracts, and classes without a contract in the section, unless the
 * origin has them.
 */
async function declareClasses(
  diff: MutableStateDiff,
  section: GenesisSection,
  classes: GenesisClasses,
  origin: Pick<OriginValues, "isDeclared">,
): Promise<Genesis["classes"]> {
  const used = new Set(diff.deployedContracts.values());
  const ofSection = new Set(
    [...section.contracts.values()].map((contract) => classHashOf(contract, classes)),
  );
  const declared: Genesis["classes"][number][] = [];
  for (const [classHash, { bundled, compiledClassHash }] of classes.byHash) {
    if (ofSection.has(classHash) && !used.has(classHash)) continue;
    if (await origin.isDeclared(classHash)) continue;
    if (compiledClassHash === null) diff.deprecatedDeclaredClasses.add(classHash);
    else diff.declaredClasses.set(classHash, compiledClassHash);
    declared.push(bundled);
  }
  return declared;
}
