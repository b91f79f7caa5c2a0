import type { BlockInfo } from "#protocol/chain/index.ts";
import { feltFromBytes } from "#base/primitives/index.ts";
import type { OriginQuery } from "#io/origin/index.ts";
import { createChainReader, createChainWriter, type DatabaseHandle } from "#io/storage/index.ts";
import {
  buildForkGenesis,
  DevEnvironment,
  type Genesis,
  type OriginValues,
} from "#services/sequencer/index.ts";
import type { ForkPin, ForkSetup } from "../../setup/fork.ts";
import type { DevAccountOptions } from "../../setup/node-options.ts";
import { type NodeSetup, producerSettings } from "../../setup/setup.ts";
import { metadataOfNewChain } from "./chain-metadata.ts";
import type { FolderRequest } from "./folder-request.ts";
import { metadataOfFork } from "./fork-metadata.ts";
import { prepareLocked } from "./prepare-locked.ts";
import type { PreparedFolder } from "./prepared-folder.ts";
import { hasBlocks } from "./recorded-fork.ts";
import { chainExists, resumeChain } from "./resume-chain.ts";
import { genesisClassSource } from "./shipped-contracts.ts";
import { storeGenesis } from "./store-genesis.ts";

/** Setup of a chain that is a fork. */
export interface ForkedSetup extends NodeSetup {
  readonly fork: ForkSetup;
}

/** Origin of a fork, as its first start needs it. */
export interface ForkOrigin {
  readonly pin: ForkPin;
  /**
   * Returns the encoded value of a query; `null` for an absent one.
   *
   * @throws {OriginError} when the origin does not supply it
   */
  answer(query: OriginQuery): Promise<Uint8Array | null>;
}

/**
 * Prepares the data directory of a fork: as {@link prepareFolder}, with a first block after the fork block.
 * The origin is queried only for a new chain. On failure, nothing of a new chain is left behind.
 *
 * @param setup - with the origin's chain id, fee tokens and protocol version
 * @throws {StorageError} when another process uses the folder, or its database is of another chain
 * @throws {ConfigError} when the genesis section is wrong, the chain of the folder is another fork or none,
 *   or the configuration contradicts its blocks; nothing was written then
 * @throws {OriginError} when the origin does not supply a value of the first block
 */
export async function prepareFork(
  setup: ForkedSetup,
  dev: DevAccountOptions | null,
  request: FolderRequest,
  origin: ForkOrigin,
): Promise<PreparedFolder> {
  const source = await genesisClassSource(setup.config);
  const build = (): Promise<Genesis | undefined> =>
    buildForkGenesis(setup.config, dev, {
      source,
      origin: valuesAt(origin, setup.fork.forkBlock),
      faucet: setup.devnet !== null,
    });
  // A reset validates the genesis before it deletes anything; the result is reused.
  let made = request.reset === null ? undefined : await build();
  const locked: FolderRequest = {
    ...request,
    async mayBegin() {
      const begins = await request.mayBegin();
      if (begins && !(await hasBlocks(setup.files))) made ??= await build();
      return begins;
    },
  };
  const { folder, made: prepared } = await prepareLocked(setup, locked, "full", (database) =>
    prepareChain(setup, dev, database, { newChain: request.newChain, genesis: made, origin }),
  );
  return { folder, ...prepared };
}

interface NewFork {
  readonly newChain: boolean;
  /** State of the first block; `undefined` to store none. */
  readonly genesis: Genesis | undefined;
  readonly origin: ForkOrigin;
}

function prepareChain(
  setup: ForkedSetup,
  dev: DevAccountOptions | null,
  database: DatabaseHandle,
  { newChain, genesis, origin: { pin } }: NewFork,
): Omit<PreparedFolder, "folder"> {
  const chain = createChainReader(database);
  const newest = chain.header(chain.latestNumber() ?? -1);
  if (newest !== undefined) {
    if (newChain) throw chainExists(setup.files.folder, newest.number);
    return resumeChain(setup, dev, { database, newest });
  }
  createChainWriter(database).beginAfter([...pin.ancestors, pin.header]);
  return storeGenesis(setup, database, {
    genesis: genesis === undefined ? undefined : withOldHash(genesis, setup, pin),
    info: firstInfo(setup, pin),
    metadata: { ...metadataOfNewChain(setup.config, dev), ...metadataOfFork(setup.fork) },
    parent: pin.header,
  });
}

/** Adds the hash of an old block, which every block writes for `get_block_hash`. */
function withOldHash(
  genesis: Genesis,
  setup: ForkedSetup,
  { header, ancestors }: ForkPin,
): Genesis {
  const { os } = producerSettings(setup).constants;
  const number = header.number + 1 - os.storedBlockHashBuffer;
  const old = ancestors.find((ancestor) => ancestor.number === number);
  if (old === undefined) return genesis;
  const hashes = new Map([[BigInt(number), old.hash]]);
  const { stateDiff } = genesis;
  const storageDiffs = new Map(stateDiff.storageDiffs).set(os.contractAddresses.blockHash, hashes);
  return { ...genesis, stateDiff: { ...stateDiff, storageDiffs } };
}

/**
 * Header values of the first block. Its time is the fork block's, or a later start time, so that a dump of
 * one chain loads into another with identical times and hashes.
 */
function firstInfo(setup: ForkedSetup, { header }: ForkPin): BlockInfo {
  const { sequencerAddress, l1DaMode, protocolVersion } = producerSettings(setup);
  const { devnet } = setup;
  const gasPrices =
    devnet === null ? header.gasPrices : new DevEnvironment(devnet.page).priced(header.gasPrices);
  return {
    number: header.number + 1,
    timestamp: Math.max(header.timestamp, devnet?.genesisTimestamp ?? 0),
    sequencerAddress,
    gasPrices,
    l1DaMode,
    protocolVersion,
  };
}

/** Returns the state of the fork block. */
function valuesAt(origin: ForkOrigin, block: number): OriginValues {
  const feltOf = async (query: OriginQuery): Promise<bigint> => {
    const bytes = await origin.answer(query);
    return bytes === null ? 0n : feltFromBytes(bytes);
  };
  return {
    storageAt: (address, key) => feltOf({ kind: "storage", block, address, key }),
    classHashAt: (address) => feltOf({ kind: "classHash", block, address }),
    isDeclared: async (classHash) =>
      (await origin.answer({ kind: "class", block, classHash })) !== null,
  };
}
