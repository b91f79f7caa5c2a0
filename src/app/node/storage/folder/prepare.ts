import type { BlockInfo } from "#protocol/chain/index.ts";
import { type DevAccountOptions } from "../../setup/node-options.ts";
import {
  blockInfoAt,
  buildGenesis,
  DevEnvironment,
  type Genesis,
  SYSTEM_CLOCK,
} from "#services/sequencer/index.ts";
import { createChainReader, type DatabaseHandle } from "#io/storage/index.ts";
import { metadataOfNewChain } from "./chain-metadata.ts";
import { type NodeSetup, producerSettings } from "../../setup/setup.ts";
import { genesisClassSource } from "./shipped-contracts.ts";
import { type FolderRequest, ORDINARY_START } from "./folder-request.ts";
import { prepareLocked } from "./prepare-locked.ts";
import type { PreparedFolder } from "./prepared-folder.ts";
import { chainExists, resumeChain } from "./resume-chain.ts";
import { storeGenesis } from "./store-genesis.ts";

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

function prepareChain(
  setup: NodeSetup,
  dev: DevAccountOptions | null,
  database: DatabaseHandle,
  { newChain, makeGenesis }: { newChain: boolean; makeGenesis: () => Genesis | undefined },
): Omit<PreparedFolder, "folder"> {
  const chain = createChainReader(database);
  const latest = chain.latestNumber();
  const newest = latest === undefined ? undefined : chain.header(latest);
  if (newest !== undefined) {
    if (newChain) throw chainExists(setup.files.folder, newest.number);
    return resumeChain(setup, dev, { database, newest });
  }
  return storeGenesis(setup, database, {
    originals: undefined,
    genesis: makeGenesis(),
    info: genesisInfo(setup),
    metadata: metadataOfNewChain(setup.config, dev),
    parent: undefined,
  });
}
