import { createCairoVm } from "#engine/cairo/index.ts";
import type { BlockHeader, BlockInfo } from "#protocol/chain/index.ts";
import { feltFromBytes, feltFromShortString } from "#base/primitives/index.ts";
import {
  ChannelOriginReader,
  FetchedValues,
  type OriginQuery,
  ReadAheadChannel,
} from "#io/origin/index.ts";
import { createChainReader, createChainWriter, type DatabaseHandle } from "#io/storage/index.ts";
import {
  buildForkGenesis,
  DevEnvironment,
  type ExecutedOriginals,
  executeOriginals,
  type Genesis,
  type OriginValues,
} from "#services/sequencer/index.ts";
import type { OriginalBlock } from "../../setup/fork/find-original.ts";
import type { ForkPin, ForkSetup } from "../../setup/fork.ts";
import type { DevAccountOptions } from "../../setup/node-options.ts";
import { type NodeSetup, producerSettings } from "../../setup/setup.ts";
import { metadataOfNewChain } from "./chain-metadata.ts";
import type { FolderRequest } from "./folder-request.ts";
import { metadataOfFork, metadataOfOriginal } from "./fork-metadata.ts";
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
  /** Block after the fork block up to a transaction, whose transactions the first block contains; or `null`. */
  readonly original: OriginalBlock | null;
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
  const build = async (): Promise<FirstContent> => ({
    genesis: await buildForkGenesis(setup.config, dev, {
      source,
      origin: valuesAt(origin, setup.fork.forkBlock),
      faucet: setup.devnet !== null,
    }),
    originals: await executeOriginalsOf(setup, origin),
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
    prepareChain(setup, dev, database, { newChain: request.newChain, first: made, origin }),
  );
  return { folder, ...prepared };
}

/** Content of the first block. */
interface FirstContent {
  /** Additions to the origin's state; `undefined` to store no block. */
  readonly genesis: Genesis | undefined;
  /** Transactions of the origin before them; `undefined` without any. */
  readonly originals: ExecutedOriginals | undefined;
}

interface NewFork {
  readonly newChain: boolean;
  /** `undefined` to store no block. */
  readonly first: FirstContent | undefined;
  readonly origin: ForkOrigin;
}

function prepareChain(
  setup: ForkedSetup,
  dev: DevAccountOptions | null,
  database: DatabaseHandle,
  { newChain, first, origin: { pin, original } }: NewFork,
): Omit<PreparedFolder, "folder"> {
  const chain = createChainReader(database);
  const newest = chain.header(chain.latestNumber() ?? -1);
  if (newest !== undefined) {
    if (newChain) throw chainExists(setup.files.folder, newest.number);
    return resumeChain(setup, dev, { database, newest });
  }
  createChainWriter(database).beginAfter([...pin.ancestors, pin.header]);
  return storeGenesis(setup, database, {
    genesis: first?.genesis && withOldHash(first.genesis, setup, pin),
    originals: first?.originals,
    info: firstInfo(setup, original?.header ?? pin.header, pin),
    metadata: {
      ...metadataOfNewChain(setup.config, dev),
      ...metadataOfFork(setup.fork),
      ...metadataOfOriginal(original),
    },
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
 * one chain loads into another with identical times and hashes. With transactions of the origin, its values
 * are those of their block.
 *
 * @param header - block whose conditions the first block has
 */
function firstInfo(setup: ForkedSetup, header: BlockHeader, pin: ForkPin): BlockInfo {
  const { sequencerAddress, l1DaMode, protocolVersion } = producerSettings(setup);
  const { devnet } = setup;
  const gasPrices =
    devnet === null ? header.gasPrices : new DevEnvironment(devnet.page).priced(header.gasPrices);
  return {
    number: pin.header.number + 1,
    timestamp: Math.max(header.timestamp, devnet?.genesisTimestamp ?? 0),
    sequencerAddress,
    gasPrices,
    l1DaMode: header === pin.header ? l1DaMode : header.l1DaMode,
    protocolVersion,
  };
}

/** Executes the origin's transactions before the requested one. */
async function executeOriginalsOf(
  setup: ForkedSetup,
  origin: ForkOrigin,
): Promise<ExecutedOriginals | undefined> {
  const { original, pin } = origin;
  if (original === null) return undefined;
  const { number } = pin.header;
  const { constants, feeTokens } = producerSettings(setup);
  const values = new FetchedValues(origin);
  const oldNumber = number + 1 - constants.os.storedBlockHashBuffer;
  const old = [...pin.ancestors, pin.header].find((header) => header.number === oldNumber);
  const executed = await executeOriginals(original, {
    vm: createCairoVm({ maxMemoryBytes: setup.executionMemoryBytes }),
    context: {
      info: firstInfo(setup, original.header, pin),
      // Signatures and transaction hashes are those of the origin.
      chainId: feltFromShortString(pin.chainId),
      feeTokens,
      constants,
      // All of them fit into a block of the origin.
      bouncer: { limits: {} },
    },
    state: new ChannelOriginReader(new ReadAheadChannel(values), number).stateAt(number),
    values,
    parentNumber: number,
    oldBlock: old,
    declared: original.declared,
  });
  for (const difference of executed.differences) original.differs(difference);
  return executed;
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
