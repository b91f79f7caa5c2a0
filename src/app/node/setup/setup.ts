import type { MethodLimits } from "#api/rpc/index.ts";
import { type ChainConfig, constantsOf } from "#protocol/config/index.ts";
import {
  BUILT_IN_CONSTANTS,
  compareProtocolVersions,
  type ConstantsTable,
  type ProtocolConstants,
  protocolRules,
} from "#protocol/versions/index.ts";
import type { BlockContext, BouncerCapacity } from "#engine/execution/index.ts";
import type { FollowOptions } from "./follow.ts";
import type { NodeFiles } from "./node-files.ts";
import type { GateSetup } from "./replication.ts";
import type {
  FreePolicy,
  FreeRules,
  MempoolLimits,
  StatelessLimits,
} from "#services/admission/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import {
  type ExecutorSettings,
  type L1Prices,
  type L2GasPricing,
  ON_REQUEST,
  type ProducerSettings,
} from "#services/sequencer/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import type { ChainWriterOptions } from "#io/storage/index.ts";

/** Everything a thread needs to know; plain data that can be posted. Holds no secrets. */
export interface NodeSetup {
  readonly config: ChainConfig;
  readonly files: NodeFiles;
  /** `false` with `--no-charge-fee`. */
  readonly chargeFees: boolean;
  /** Whether a chain that takes fees takes free transactions while nobody can pay. */
  readonly freePolicy: FreePolicy;
  /** Prices of L1 that the node is started with. */
  readonly l1Prices: L1Prices;
  /** Newer ones, once there are some: see `L1PricesPage`. */
  readonly l1PricesPage: SharedArrayBuffer;
  /** How far the chain's time is from the wall clock's: see `ClockPage`. */
  readonly clockPage: SharedArrayBuffer;
  /** What is accepted on L1 is seen on L1 itself, and nobody else is believed about it. */
  readonly followsL1: boolean;
  /** The development features; `null`: they are off. */
  readonly devnet: DevnetSetup | null;
  /** What a full node follows, and how; `null`: the node makes blocks. */
  readonly follow: FollowOptions | null;
  /** Where blocks are published before anybody hears of them; `null`: nowhere. */
  readonly gate: GateSetup | null;
  /** What one transaction or call may take for its cells. */
  readonly executionMemoryBytes: number;
  /** Transfers that admission and executor make for themselves after their start; 0: none, see {@link warmsUp}. */
  readonly warmUpTransfers: number;
  /** Cairo steps of a call or simulated transaction; `null`: the protocol's limit. */
  readonly maxSteps: number | null;
  /** Threads that help the committer to hash. */
  readonly hashThreads: number;
  /** Longest silence of a thread that starts, milliseconds. */
  readonly startTimeoutMs: number;
  /** Threads that validate submissions; 1: the one that has the mempool. */
  readonly admissionThreads: number;
  /** What the committer keeps. */
  readonly storage: ChainWriterOptions;
  /** How much one request may ask of a method, on every thread and over every way of asking. */
  readonly methodLimits: MethodLimits;
  /** Most bytes of an answer that is given as a whole. */
  readonly maxAnswerBytes: number;
}

/** What threads know of the development features. */
export interface DevnetSetup {
  /** Time and prices that it is told to take: see `DevEnvironment`. */
  readonly page: SharedArrayBuffer;
  /** Whose signatures are not looked at: see `ImpersonatedAccounts`. */
  readonly impersonation: SharedArrayBuffer;
  /** `demand`: blocks are made on request only; else as the chain configuration says. */
  readonly blocks: "configured" | "demand";
  /** Timestamp of block 0, Unix seconds. */
  readonly genesisTimestamp: number;
}

/** Transactions asked for at once; small enough for a pending block that is always fresh. */
const MIN_BATCH = 64;

/** Longest pause between two looks at the clock: how late a block may close. */
const MAX_TICK_MS = 20;

/** Shortest pause between two looks at the clock. */
const MIN_TICK_MS = 5;

/** The chain id as a felt. */
export function chainIdFelt(config: ChainConfig): Felt {
  return feltFromShortString(config.chainId);
}

/** When the executor does what. */
export function executorSettings({ config, devnet }: NodeSetup): ExecutorSettings {
  const { pendingBlockUpdateTimeMs, blockTimeMs } = config;
  const configured = {
    blockTimeMs,
    onDemand: config.blocksOnDemand,
    noEmptyBlocks: config.noEmptyBlocks,
  };
  return {
    schedule: devnet?.blocks === "demand" ? ON_REQUEST : configured,
    batchSize: Math.max(MIN_BATCH, config.executionBatchSize),
    tickMs: Math.max(MIN_TICK_MS, Math.min(pendingBlockUpdateTimeMs, blockTimeMs, MAX_TICK_MS)),
  };
}

function bouncerCapacity(config: ChainConfig): BouncerCapacity {
  const { capacity, shape, builtinWeights } = config.bouncer;
  const common = {
    l1Gas: capacity.l1Gas,
    messageSegmentLength: capacity.messageSegmentLength,
    eventCount: capacity.events,
    stateDiffSize: capacity.stateDiffSize,
  };
  if (shape === "steps") return { limits: { ...common, steps: capacity.steps } };
  const { ecop, ...costs } = builtinWeights;
  return {
    provingGasCosts: { ...costs, ec_op: ecop },
    limits: {
      ...common,
      transactionCount: capacity.transactions,
      sierraGas: capacity.sierraGas,
      provingGas: capacity.provingGas,
      receiptL2Gas: capacity.receiptL2Gas,
    },
  };
}

function l2GasPricing(config: ChainConfig): L2GasPricing {
  const price = config.l2GasPrice;
  return price.type === "fixed"
    ? { kind: "fixed", priceFri: price.price }
    : {
        kind: "eip1559",
        targetGas: price.target,
        minPriceFri: price.minPrice,
        maxChangeDenominator: price.maxChangeDenominator,
      };
}

/** Limits of the mempool. */
export function mempoolLimits(config: ChainConfig): MempoolLimits {
  return {
    maxTransactions: config.mempoolMaxTransactions,
    maxBytes: config.mempoolMaxBytes,
    maxTransactionsPerAccount: config.mempoolMaxTransactionsPerAccount,
    maxBytesPerAccount: config.mempoolMaxBytesPerAccount,
    maxDeclareTransactions: config.mempoolMaxDeclareTransactions,
    ttlMs: config.mempoolTtlMs,
    minTipBump: config.mempoolMinTipBump,
    fullPolicy: config.mempoolFullPolicy,
    order: config.mempoolMode === "Tip" ? "tip" : "timestamp",
  };
}

/** Limits of single transactions. */
export function statelessLimits(setup: NodeSetup): StatelessLimits {
  const { config, chargeFees } = setup;
  const version = config.latestProtocolVersion;
  const { maxCalldataLength } = constantsFor(config, version).gateway;
  const { maxFeeTransactions } = protocolRules(version);
  const takesFree = freeRulesOf(setup)?.policy === "untilToken";
  return { maxCalldataLength, chargeFees, takesFree, maxFeeTransactions };
}

/** Which transactions are free; `null`: all, for the chain takes no fees. */
export function freeRulesOf({ config, chargeFees, freePolicy }: NodeSetup): FreeRules | null {
  return chargeFees ? { policy: freePolicy, nativeFeeToken: config.nativeFeeTokenAddress } : null;
}

/** What the block producer needs of the configuration. */
export function producerSettings(setup: NodeSetup): ProducerSettings {
  const { config, chargeFees, devnet } = setup;
  return {
    chainId: chainIdFelt(config),
    feeTokens: { strk: config.nativeFeeTokenAddress, eth: config.parentFeeTokenAddress },
    protocolVersion: config.latestProtocolVersion,
    constants: constantsFor(config, config.latestProtocolVersion),
    bouncer: bouncerCapacity(config),
    sequencerAddress: config.sequencerAddress,
    l1DaMode: config.l1DaMode,
    l2GasPricing: l2GasPricing(config),
    chargeFees,
    free: freeRulesOf(setup),
    takesImpersonated: devnet !== null,
  };
}

/** Tables by configuration: what is derived from constants is kept by their identity. */
const tables = new WeakMap<ChainConfig, ConstantsTable>();

/** Constants of a protocol version, with those of the chain configuration on top. */
export function constantsFor(config: ChainConfig, version: string): ProtocolConstants {
  let table = tables.get(config);
  if (table === undefined) tables.set(config, (table = constantsOf(config)));
  return table.at(version);
}

/**
 * Constants that something is executed by at a block of a version. Full nodes of public networks have
 * blocks that are older than every version with constants: calls at them run by those of the oldest one.
 * What was executed then is not executed again by them: its trace is refused where it would be another one.
 */
export function executionConstants(config: ChainConfig, version: string): ProtocolConstants {
  const [oldest = version] = BUILT_IN_CONSTANTS.versions;
  const isOlder = compareProtocolVersions(version, oldest) < 0;
  return constantsFor(config, isOlder ? oldest : version);
}

/** The newest context by setup: most requests are about the same block. */
const contexts = new WeakMap<NodeSetup, BlockContext>();

/** The context of executing something in the environment of block `info`. */
export function contextFor(setup: NodeSetup, info: BlockInfo): BlockContext {
  const known = contexts.get(setup);
  if (known?.info === info) return known;
  const { config } = setup;
  const context: BlockContext = {
    info,
    chainId: chainIdFelt(config),
    feeTokens: { strk: config.nativeFeeTokenAddress, eth: config.parentFeeTokenAddress },
    constants: executionConstants(config, info.protocolVersion),
    bouncer: { ...bouncerCapacity(config), limits: {} },
  };
  contexts.set(setup, context);
  return context;
}

/** Whether the node does work ahead of the first request: loads classes, and starts the compiler. */
export function warmsUp({ warmUpTransfers }: Pick<NodeSetup, "warmUpTransfers">): boolean {
  return warmUpTransfers > 0;
}
