import { ConfigError } from "#base/errors/index.ts";
import {
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  type StoredChainReader,
} from "#io/storage/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { type Felt, feltFromBytes } from "#base/primitives/index.ts";
import {
  type DevAccount,
  devAccounts,
  type DevAccountsRequest,
} from "#services/sequencer/index.ts";
import type { DevAccountOptions } from "../../setup/node-options.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import {
  decodeMetadata,
  devAccountsOf,
  encodeMetadata,
  METADATA_KEY,
  metadataOfNextStart,
  requireSameChain,
} from "./chain-metadata.ts";
import { requireSameFork } from "./fork-metadata.ts";
import { requireOwnKey } from "./folder-role.ts";
import type { PreparedFolder } from "./prepared-folder.ts";
import { ACCOUNT_CLASS_KEY, FAUCET_CLASS_KEY } from "./store-genesis.ts";

/** Open chain database that already has blocks, with its newest header. */
export interface StoredChain {
  readonly database: DatabaseHandle;
  readonly newest: BlockHeader;
}

/**
 * Continues a chain that has blocks.
 *
 * @throws {ConfigError} when the configuration contradicts its blocks; nothing was written then
 */
export function resumeChain(
  setup: NodeSetup,
  dev: DevAccountOptions | null,
  { database, newest }: StoredChain,
): Omit<PreparedFolder, "folder"> {
  const { config, files, fork } = setup;
  const chain = createChainReader(database);
  const metadata = decodeMetadata(chain.value(METADATA_KEY));
  requireSameFork(metadata, fork, files.folder);
  requireSameChain(metadata, config, dev, newest, files.folder);
  requireSameStart(setup, chain);
  requireOwnKey(metadata, files, chain, newest.number);
  createChainWriter(database).putValue(
    METADATA_KEY,
    encodeMetadata(metadataOfNextStart(metadata, config, newest)),
  );
  const accountClass = chain.value(ACCOUNT_CLASS_KEY);
  const faucetClass = chain.value(FAUCET_CLASS_KEY) ?? accountClass;
  const made = devAccountsOf(metadata) ?? dev;
  const accounts =
    made === null || accountClass === undefined
      ? () => []
      : accountsOf(made, feltFromBytes(accountClass), fork !== null);
  return {
    nextBlock: newest.number + 1,
    isResumed: true,
    accountClass: accountClass === undefined ? null : feltFromBytes(accountClass),
    faucetClass: faucetClass === undefined ? null : feltFromBytes(faucetClass),
    accounts,
  };
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

/** Creates the error of `--new-chain` on a folder with blocks. @param newest - number of the newest one */
export function chainExists(folder: string, newest: number): ConfigError {
  return new ConfigError(
    `--new-chain: the data directory ${folder} holds a chain up to block ${newest}; omit the option to continue it, or delete it with --reset`,
  );
}

/** Returns the accounts of a chain in a state. Those of a fork all exist, some only at the origin. */
function accountsOf(
  made: Pick<DevAccountsRequest, "seed" | "count">,
  accountClass: Felt,
  isFork: boolean,
): PreparedFolder["accounts"] {
  if (isFork) return () => devAccounts(made.seed, made.count, accountClass);
  return (state) => existingAccounts(state, made, accountClass);
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
