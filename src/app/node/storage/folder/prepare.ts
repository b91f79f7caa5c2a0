import type { BlockInfo } from "#protocol/chain/index.ts";
import { PEDERSEN } from "#protocol/trie/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { bytesFromFelt, type Felt, feltFromBytes } from "#base/primitives/index.ts";
import { type DevAccountOptions } from "../../setup/node-options.ts";
import {
  blockInfoAt,
  buildGenesis,
  completeBlock,
  DevEnvironment,
  type DevAccount,
  devAccounts,
  faucetClassOf,
  type DevAccountsRequest,
  type Genesis,
  SYSTEM_CLOCK,
} from "#services/sequencer/index.ts";
import {
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  type StoredChainReader,
} from "#io/storage/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import {
  decodeMetadata,
  devAccountsOf,
  encodeMetadata,
  metadataOfNewChain,
  METADATA_KEY,
  metadataOfNextStart,
  requireSameChain,
} from "./chain-metadata.ts";
import { type NodeSetup, producerSettings } from "../../setup/setup.ts";
import { genesisClassSource } from "./shipped-contracts.ts";
import { makeSigningKey } from "./signing-key.ts";
import { type FolderRequest, ORDINARY_START } from "./folder-request.ts";
import { requireOwnKey } from "./folder-role.ts";
import { prepareLocked } from "./prepare-locked.ts";
import { NO_ACCOUNTS, type PreparedFolder } from "./prepared-folder.ts";

/** Key of the class hash of development accounts, from which their addresses are derived. */
const ACCOUNT_CLASS_KEY = "development-account-class";

/** Key of the faucet's class hash; absent if it is the class of development accounts. */
const FAUCET_CLASS_KEY = "development-faucet-class";

/**
 * Prepares a data directory: creates and locks it, creates or migrates the chain database, and stores the
 * genesis block of a new chain. On failure, nothing of a new chain is left behind.
 *
 * A reset deletes the existing chain only after the genesis section of the new one is validated.
 *
 * @throws {StorageError} when another process uses the folder, or its database is of another chain
 * @throws {ConfigError} when the genesis section is wrong, or the configuration contradicts the blocks of the
 *   chain; nothing was written then
 */
export async function prepareFolder(
  setup: NodeSetup,
  dev: DevAccountOptions | null,
  request: FolderRequest = ORDINARY_START,
): Promise<PreparedFolder> {
  const { config } = setup;
  const source = await genesisClassSource(config);
  const build = (): Genesis | undefined =>
    buildGenesis(config, dev, source, { faucet: setup.devnet !== null });
  // A reset validates the genesis before it deletes anything; the result is reused.
  const checked = request.reset === null ? undefined : build();
  const { folder, made } = await prepareLocked(setup, request, "full", (database, mayBegin) =>
    prepareChain(setup, dev, database, {
      newChain: request.newChain,
      makeGenesis: () => (mayBegin ? (checked ?? build()) : undefined),
    }),
  );
  return { folder, ...made };
}

/**
 * Clock of block 0. On a development chain it is fixed, so that a dump of one chain loads into another with
 * identical times and hashes.
 */
function genesisClock({ devnet }: NodeSetup): typeof SYSTEM_CLOCK {
  return devnet === null ? SYSTEM_CLOCK : { nowMs: () => devnet.genesisTimestamp * 1000 };
}

/**
 * Header values of block 0. On a development chain it has the initial prices, because estimates use those of
 * the newest block.
 */
function genesisInfo(setup: NodeSetup): BlockInfo {
  const info = blockInfoAt(
    0,
    undefined,
    producerSettings(setup),
    setup.l1Prices,
    genesisClock(setup),
  );
  if (setup.devnet === null) return info;
  const gasPrices = new DevEnvironment(setup.devnet.page).priced(info.gasPrices);
  return { ...info, gasPrices };
}

/** Rejects a first block's time that differs from the chain's: it would have no effect. */
function requireSameStart({ devnet, files }: NodeSetup, chain: StoredChainReader): void {
  const made = chain.header(0)?.timestamp;
  if (devnet === null || devnet.genesisTimestamp === 0) return;
  if (made === undefined || made === devnet.genesisTimestamp) return;
  const message = `the first block of the chain has the time ${made}, not ${devnet.genesisTimestamp}; omit the option, or create a new chain in another folder`;
  throw new ConfigError(
    `the configuration is not that of the chain in ${files.folder}: 1 difference`,
    [{ path: "--start-time", line: 0, message }],
  );
}

function prepareChain(
  setup: NodeSetup,
  dev: DevAccountOptions | null,
  database: DatabaseHandle,
  { newChain, makeGenesis }: { newChain: boolean; makeGenesis: () => Genesis | undefined },
): Omit<PreparedFolder, "folder"> {
  const chain = createChainReader(database);
  const latest = chain.latestNumber();
  const writer = createChainWriter(database);
  const newest = latest === undefined ? undefined : chain.header(latest);
  if (newest !== undefined) {
    if (newChain) throw chainExists(setup.files.folder, newest.number);
    const metadata = decodeMetadata(chain.value(METADATA_KEY));
    requireSameChain(metadata, setup.config, dev, newest, setup.files.folder);
    requireSameStart(setup, chain);
    requireOwnKey(metadata, setup.files, chain, newest.number);
    writer.putValue(
      METADATA_KEY,
      encodeMetadata(metadataOfNextStart(metadata, setup.config, newest)),
    );
    const accountClass = chain.value(ACCOUNT_CLASS_KEY);
    const faucetClass = chain.value(FAUCET_CLASS_KEY) ?? accountClass;
    const made = devAccountsOf(metadata) ?? dev;
    const accounts =
      made === null || accountClass === undefined
        ? () => []
        : (state: StateReader) => existingAccounts(state, made, feltFromBytes(accountClass));
    return {
      nextBlock: newest.number + 1,
      isResumed: true,
      accountClass: accountClass === undefined ? null : feltFromBytes(accountClass),
      faucetClass: faucetClass === undefined ? null : feltFromBytes(faucetClass),
      accounts,
    };
  }
  const { privateKey } = makeSigningKey(setup.files.signingKey);
  const genesis = makeGenesis();
  writer.putValue(METADATA_KEY, encodeMetadata(metadataOfNewChain(setup.config, dev)));
  if (genesis === undefined) {
    return { nextBlock: 0, isResumed: false, ...NO_ACCOUNTS };
  }
  const { block, trie } = completeBlock({
    draft: {
      info: genesisInfo(setup),
      transactions: [],
      receipts: [],
      stateDiff: genesis.stateDiff,
    },
    commitments: null,
    parent: undefined,
    stateBefore: chain.stateAt(-1),
    tries: writer.trieStore,
    pedersen: PEDERSEN,
    signingKey: privateKey,
  });
  const { classes, accounts, classHashes } = genesis;
  const accountClass = classHashes.get("account");
  if (accountClass !== undefined) {
    writer.putValue(ACCOUNT_CLASS_KEY, bytesFromFelt(accountClass));
  }
  const faucetClass = faucetClassOf(classHashes);
  if (faucetClass !== undefined && faucetClass !== accountClass) {
    writer.putValue(FAUCET_CLASS_KEY, bytesFromFelt(faucetClass));
  }
  writer.commitBlock({ block, epoch: 0, classes, inputs: { l1Messages: [] }, trie });
  return {
    nextBlock: 1,
    isResumed: false,
    accountClass: accountClass ?? null,
    faucetClass: faucetClass ?? null,
    accounts: () => accounts,
  };
}

function chainExists(folder: string, newest: number): ConfigError {
  return new ConfigError(
    `--new-chain: the data directory ${folder} holds a chain up to block ${newest}; omit the option to continue it, or delete it with --reset`,
  );
}

/** Returns the accounts that exist in the state: old chains do not record how they were created. */
function existingAccounts(
  state: StateReader,
  dev: Pick<DevAccountsRequest, "seed" | "count">,
  accountClass: Felt,
): DevAccount[] {
  return devAccounts(dev.seed, dev.count, accountClass).filter(
    ({ address }) => state.classHashAt(address) !== 0n,
  );
}
