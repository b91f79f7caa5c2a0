import type { MethodLimits } from "#api/rpc/index.ts";
import type { OptionValues, threadOptions } from "#app/options/index.ts";
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
import type { ForkSetup } from "./fork.ts";
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

/** Setup of a thread with the settings of `threadOptions`: plain data that can be posted. Contains no secrets. */
export interface NodeSetup extends OptionValues<typeof threadOptions> {
  readonly config: ChainConfig;
  readonly files: NodeFiles;
  /** `false` with `--no-charge-fee`. */
  readonly chargeFees: boolean;
  /** Whether a chain with fees accepts free transactions while fees cannot be paid. */
  readonly freePolicy: FreePolicy;
  /** Initial L1 prices. */
  readonly l1Prices: L1Prices;
  /** Shared memory with newer L1 prices; see `L1PricesPage`. */
  readonly l1PricesPage: SharedArrayBuffer;
  /** Shared memory with the correction of the wall clock; see `ClockPage`. */
  readonly clockPage: SharedArrayBuffer;
  /** Whether acceptance on L1 is read from L1 itself, so that other sources are ignored. */
  readonly followsL1: boolean;
  /** Development features; `null` if they are off. */
  readonly devnet: DevnetSetup | null;
  /** Source that a full node follows; `null` if the node produces blocks. */
  readonly follow: FollowOptions | null;
  /** Fork of another chain; `null` for a chain with a block 0. */
  readonly fork: ForkSetup | null;
  /** Store in which blocks are published before they become visible; `null` for none. */
  readonly gate: GateSetup | null;
  /** Number of threads that help the committer to hash. */
  readonly hashThreads: number;
  readonly storage: ChainWriterOptions;
  /** Limits of one request to a method, the same on every thread and protocol. */
  readonly methodLimits: MethodLimits;
  /** Whether the node has the explorer's index. */
  readonly explorer: boolean;
  /** Maximum size of a response that is not streamed, in bytes. */
  readonly maxAnswerBytes: number;
}

/** Development features, as seen by threads. */
export interface DevnetSetup {
  /** Shared memory with configured time and prices; see `DevEnvironment`. */
  readonly page: SharedArrayBuffer;
  /** Shared memory with the impersonated accounts; see `ImpersonatedAccounts`. */
  readonly impersonation: SharedArrayBuffer;
  /** `demand`: blocks are made on request only; `configured`: as the chain configuration says. */
  readonly blocks: "configured" | "demand";
  /** Timestamp of block 0, Unix seconds. */
  readonly genesisTimestamp: number;
}

/** Minimum transactions per request to admission; small enough to keep the pending block fresh. */
const MIN_BATCH = 64;

/** Maximum interval between two clock checks, and so the maximum delay of a block's close. */
const MAX_TICK_MS = 20;

/** Minimum interval between two clock checks. */
const MIN_TICK_MS = 5;

/** The chain id as a felt. */
export function chainIdFelt(config: ChainConfig): Felt {
  return feltFromShortString(config.chainId);
}

/** Returns the executor's block schedule and batch settings. */
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

/** Limits of single transactions, which need no state. */
export function statelessLimits(setup: NodeSetup): StatelessLimits {
  const { config, chargeFees } = setup;
  const version = config.latestProtocolVersion;
  const { maxCalldataLength } = constantsFor(config, version).gateway;
  const { maxFeeTransactions } = protocolRules(version);
  const takesFree = freeRulesOf(setup)?.policy === "untilToken";
  return { maxCalldataLength, chargeFees, takesFree, maxFeeTransactions };
}

/**
 * Rules for free transactions; `null` on a chain without fees, where all are free. A fork has the fee tokens of
 * its origin.
 */
export function freeRulesOf({ config, chargeFees, freePolicy, fork }: NodeSetup): FreeRules | null {
  const policy = fork === null ? freePolicy : "never";
  return chargeFees ? { policy, nativeFeeToken: config.nativeFeeTokenAddress } : null;
}

/** Settings of the block producer. */
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

/** Tables by configuration, reused because values derived from constants are cached by their identity. */
const tables = new WeakMap<ChainConfig, ConstantsTable>();

/** Constants of a protocol version, with overrides from the chain configuration. */
export function constantsFor(config: ChainConfig, version: string): ProtocolConstants {
  let table = tables.get(config);
  if (table === undefined) tables.set(config, (table = constantsOf(config)));
  return table.at(version);
}

/**
 * Constants for executions at a block of a version. Public networks have blocks older than every version with
 * constants: calls at them use those of the oldest one. Such blocks are not re-executed with these constants:
 * a trace is refused where it would differ.
 */
export function executionConstants(config: ChainConfig, version: string): ProtocolConstants {
  const [oldest = version] = BUILT_IN_CONSTANTS.versions;
  const isOlder = compareProtocolVersions(version, oldest) < 0;
  return constantsFor(config, isOlder ? oldest : version);
}

/** Latest context by setup: most requests are about the same block. */
const contexts = new WeakMap<NodeSetup, BlockContext>();

/** Returns the context of an execution in the environment of block `info`. */
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

/** Whether the node works ahead of the first request: loads classes, and starts the compiler. */
export function warmsUp({ warmUpTransfers }: Pick<NodeSetup, "warmUpTransfers">): boolean {
  return warmUpTransfers > 0;
}
