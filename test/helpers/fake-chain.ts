import {
  type BlockHeader,
  type BlockInfo,
  EMPTY_STATE_DIFF,
  type ExecutableClass,
  type HashedTransaction,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";
import { NodeHashes, type TrieReader } from "#protocol/trie/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type {
  BlockPortion,
  ChainReader,
  ConsumedL1Message,
  DeclaredClass,
  PendingBlock,
  StateReader,
} from "#engine/state/index.ts";

/** A block of a {@link createFakeChain}. */
export interface FakeBlock {
  readonly header: BlockHeader;
  readonly transactions: readonly HashedTransaction[];
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
}

/** Contents of a fake chain in addition to its blocks. */
export interface FakeChainOptions {
  readonly l1Accepted?: number;
  /** Default: 0. */
  readonly oldestStateBlock?: number;
  /** Default: 0. */
  readonly oldestTrieBlock?: number;
  /** Default: empty tries. */
  readonly trieAt?: ChainReader["trieAt"];
  readonly classes?: ReadonlyMap<Felt, DeclaredClass>;
  readonly executables?: ReadonlyMap<Felt, ExecutableClass>;
  /** L1 messages by hash of the L1 transaction. */
  readonly l1Messages?: ReadonlyMap<bigint, readonly ConsumedL1Message[]>;
}

/** A chain in memory. `blocks[i]` must have number `i`. */
export function createFakeChain(
  blocks: readonly FakeBlock[],
  options: FakeChainOptions = {},
): ChainReader {
  const { classes = new Map(), executables = new Map() } = options;
  const location = (hash: Felt) => {
    for (const { header, transactions } of blocks) {
      const index = transactions.findIndex((entry) => entry.hash === hash);
      if (index !== -1) return { blockNumber: header.number, index };
    }
    return undefined;
  };
  return {
    snapshot: (read) => read(),
    latestNumber: () => blocks.at(-1)?.header.number,
    oldestBlock: () => 0,
    l1AcceptedNumber: () => options.l1Accepted,
    header: (number) => blocks[number]?.header,
    ancestorHeader: (number) => blocks[number]?.header,
    numberByHash: (hash) => blocks.find(({ header }) => header.hash === hash)?.header.number,
    signature: (number) => (blocks[number] === undefined ? undefined : { r: 1n, s: 2n }),
    transactions: (number) => [...(blocks[number]?.transactions ?? [])],
    transactionHashes: (number) => (blocks[number]?.transactions ?? []).map(({ hash }) => hash),
    receipts: (number) => [...(blocks[number]?.receipts ?? [])],
    locate: location,
    transactionAt: ({ blockNumber, index }) => blocks[blockNumber]?.transactions[index],
    receiptAt: ({ blockNumber, index }) => blocks[blockNumber]?.receipts[index],
    portionAt: ({ blockNumber, index }) => portionOf(blocks[blockNumber], index),
    stateDiff: (number) => blocks[number]?.stateDiff,
    nextEventBlock: (_query, from, to) =>
      blocks.slice(from, to + 1).find(({ receipts }) => receipts.some((r) => r.events.length > 0))
        ?.header.number,
    lastStorageUpdate: (address, key, number) =>
      blocks
        .slice(0, number + 1)
        .findLast(({ stateDiff }) => stateDiff.storageDiffs.get(address)?.has(key))?.header.number,
    messagesOfL1Transaction: (hash) => [...(options.l1Messages?.get(hash) ?? [])],
    consumedL1Message: () => undefined,
    declaredClass: (hash) => classes.get(hash),
    stateAt: (number) =>
      stateOfDiffs(
        blocks.slice(0, number + 1).map(({ stateDiff }) => stateDiff),
        executables,
      ),
    oldestStateBlock: () => options.oldestStateBlock ?? 0,
    oldestTrieBlock: () => options.oldestTrieBlock ?? 0,
    trieAt: options.trieAt ?? (() => NO_TRIES),
  };
}

/** Empty tries. */
export const NO_TRIES: TrieReader = {
  hashes: new NodeHashes(0),
  root: () => undefined,
  node: () => undefined,
};

/** Transactions per portion: few, so that blocks of tests have several. */
const PORTION_SIZE = 2;

function portionOf(block: FakeBlock | undefined, index: number): BlockPortion | undefined {
  const firstIndex = index - (index % PORTION_SIZE);
  const count = Math.min(PORTION_SIZE, (block?.receipts.length ?? 0) - firstIndex);
  if (block === undefined || count <= 0) return undefined;
  const has = (at: number): boolean => at >= firstIndex && at < firstIndex + count;
  return {
    firstIndex,
    count,
    transactionAt: (at) => (has(at) ? block.transactions[at] : undefined),
    receiptAt: (at) => (has(at) ? block.receipts[at] : undefined),
  };
}

/** The state after diffs, in order. */
export function stateOfDiffs(
  diffs: readonly StateDiff[],
  executables: ReadonlyMap<Felt, ExecutableClass> = new Map(),
): StateReader {
  const last = (pick: (diff: StateDiff) => Felt | undefined): Felt => {
    for (const diff of diffs.toReversed()) {
      const value = pick(diff);
      if (value !== undefined) return value;
    }
    return 0n;
  };
  return {
    storageAt: (address, key) => last((diff) => diff.storageDiffs.get(address)?.get(key)),
    nonceAt: (address) => last((diff) => diff.nonces.get(address)),
    classHashAt: (address) =>
      last((diff) => diff.replacedClasses.get(address) ?? diff.deployedContracts.get(address)),
    compiledClassHashOf: (hash) => last((diff) => diff.declaredClasses.get(hash)),
    executableClass: (hash) => executables.get(hash),
  };
}

/** A header with the given members; all others are small distinct values. */
export function fakeHeader(
  header: Partial<BlockHeader> & { readonly number: number },
): BlockHeader {
  const { number } = header;
  return {
    timestamp: 1_700_000_000 + number,
    sequencerAddress: 0x5e9n,
    gasPrices: {
      l1Gas: { wei: 1n, fri: 2n },
      l1DataGas: { wei: 3n, fri: 4n },
      l2Gas: { wei: 5n, fri: 6n },
    },
    l1DaMode: "BLOB",
    protocolVersion: "0.14.0",
    hash: 0xb10c0n + BigInt(number),
    parentHash: number === 0 ? 0n : 0xb10c0n + BigInt(number - 1),
    newRoot: 0x50070n + BigInt(number),
    transactionCommitment: 0xc1n,
    eventCommitment: 0xc2n,
    receiptCommitment: 0xc3n,
    stateDiffCommitment: 0xc4n,
    transactionCount: 0,
    eventCount: 0,
    stateDiffLength: 0,
    ...header,
  };
}

/** A receipt of a transaction that succeeded, with the given members changed. */
export function fakeReceipt(
  receipt: Partial<Receipt> & { readonly transactionHash: Felt },
): Receipt {
  return {
    actualFee: 0x64n,
    feeUnit: "FRI",
    events: [],
    messages: [],
    status: { kind: "succeeded" },
    gas: { l1Gas: 0n, l1DataGas: 128n, l2Gas: 1_000_000n },
    daGas: { l1Gas: 0n, l1DataGas: 128n, l2Gas: 0n },
    vmResources: { steps: 100, memoryHoles: 0, builtins: {} },
    ...receipt,
  };
}

/** A diff with the given members. */
export function fakeDiff(diff: Partial<StateDiff>): StateDiff {
  return { ...EMPTY_STATE_DIFF, ...diff };
}

/** A block with a header whose counts fit its content. */
export function fakeBlock(
  block: Partial<Omit<FakeBlock, "header">> & {
    readonly header: Partial<BlockHeader> & { readonly number: number };
  },
): FakeBlock {
  const { transactions = [], receipts = [], stateDiff = EMPTY_STATE_DIFF } = block;
  return {
    header: fakeHeader({ transactionCount: transactions.length, ...block.header }),
    transactions,
    receipts,
    stateDiff,
  };
}

/** Creates the block being built on top of `chain`, with the given members. */
export function fakePending(
  chain: ChainReader,
  block: Partial<Omit<FakeBlock, "header">> & {
    readonly info?: Partial<BlockInfo>;
    readonly declaredClass?: NonNullable<PendingBlock["declaredClass"]>;
  },
): PendingBlock {
  const latest = chain.latestNumber();
  const number = latest === undefined ? 0 : latest + 1;
  const { sequencerAddress, gasPrices, l1DaMode, protocolVersion, timestamp } = fakeHeader({
    number,
  });
  const { transactions = [], receipts = [], stateDiff = EMPTY_STATE_DIFF, declaredClass } = block;
  const diffs: StateDiff[] = [];
  for (let i = 0; i < number; i++) {
    const diff = chain.stateDiff(i);
    if (diff !== undefined) diffs.push(diff);
  }
  return {
    info: {
      number,
      timestamp,
      sequencerAddress,
      gasPrices,
      l1DaMode,
      protocolVersion,
      ...block.info,
    },
    transactions,
    receipts,
    stateDiff,
    state: stateOfDiffs([...diffs, stateDiff]),
    find(hash) {
      const index = transactions.findIndex((entry) => entry.hash === hash);
      return index === -1 ? undefined : { index };
    },
    ...(declaredClass === undefined ? {} : { declaredClass }),
  };
}
