import type { Felt } from "#base/primitives/index.ts";
import type { ProtocolConstantsData } from "#protocol/versions/index.ts";

/** Builtins that a block's capacity counts. */
export const BOUNCER_BUILTIN_NAMES = [
  "add_mod",
  "bitwise",
  "ecdsa",
  "ec_op",
  "keccak",
  "mul_mod",
  "pedersen",
  "poseidon",
  "range_check",
  "range_check96",
] as const;

/** One of {@link BOUNCER_BUILTIN_NAMES}. */
export type BouncerBuiltinName = (typeof BOUNCER_BUILTIN_NAMES)[number];

/** Capacity of a block. Both public shapes are read into this one; limits that a shape lacks are 2^64 - 1. */
export interface BlockCapacity {
  /** `gas` in the shape with steps, `l1_gas` in the one with Sierra gas. */
  readonly l1Gas: bigint;
  readonly steps: bigint;
  readonly builtins: Readonly<Record<BouncerBuiltinName, bigint>>;
  readonly sierraGas: bigint;
  readonly provingGas: bigint;
  readonly receiptL2Gas: bigint;
  readonly transactions: bigint;
  readonly messageSegmentLength: bigint;
  readonly events: bigint;
  /** In felts. */
  readonly stateDiffSize: bigint;
}

/** Names of `builtin_weights.gas_costs`. */
export const BUILTIN_WEIGHT_NAMES = [
  "pedersen",
  "range_check",
  "ecdsa",
  "ecop",
  "bitwise",
  "keccak",
  "poseidon",
  "add_mod",
  "mul_mod",
  "range_check96",
  "blake",
] as const;

/** One of {@link BUILTIN_WEIGHT_NAMES}. */
export type BuiltinWeightName = (typeof BUILTIN_WEIGHT_NAMES)[number];

/** Limits at which a block is full. */
export interface BouncerConfig {
  /** Whether the file limits steps or Sierra gas; decides which weights a block reports. */
  readonly shape: "steps" | "sierra_gas";
  readonly capacity: BlockCapacity;
  /** Proving gas per builtin instance. */
  readonly builtinWeights: Readonly<Record<BuiltinWeightName, bigint>>;
}

/** Rule for the L2 gas price of the next block; prices in fri. */
export type L2GasPriceConfig =
  | { readonly type: "fixed"; readonly price: bigint }
  | {
      readonly type: "eip1559";
      /** L2 gas of a block at which the price stays constant. */
      readonly target: bigint;
      readonly minPrice: bigint;
      /** The price changes by at most 1/denominator per block. */
      readonly maxChangeDenominator: bigint;
    };

/** Settings of parallel transaction execution. */
export interface BlockProductionConcurrency {
  readonly disableConcurrency: boolean;
  /** 0 selects the number of cores. */
  readonly workers: number;
  readonly batchSize: number;
  readonly maxTxsPerAccountPerBatch: number;
}

/** Contracts included in the program, by their names in a `genesis` section. */
export const SHIPPED_CONTRACTS = [
  "account",
  "fee_token",
  "erc20",
  "universal_deployer",
  "token_bridge",
] as const;

/** One of {@link SHIPPED_CONTRACTS}. */
export type ShippedContract = (typeof SHIPPED_CONTRACTS)[number];

/** Source of the code of a genesis class. */
export type GenesisClassSource =
  /** Class included in the program. */
  | { readonly kind: "builtin"; readonly builtin: ShippedContract }
  /**
   * Absolute paths of a Sierra class, for which `casm` saves compiling, or of a Cairo 0 class without `casm`.
   */
  | { readonly kind: "files"; readonly sierraPath: string; readonly casmPath: string | null };

/** A class that is declared at genesis. */
export interface GenesisClass {
  /** Name by which contracts of the same section refer to it. */
  readonly name: string;
  readonly source: GenesisClassSource;
}

/** Class of a genesis contract: a name in the same section, or the hash of one of its classes. */
export type GenesisClassReference =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "hash"; readonly classHash: Felt };

/** Contract that exists at genesis. */
export interface GenesisContract {
  readonly class: GenesisClassReference;
  readonly nonce: Felt;
  readonly storage: ReadonlyMap<Felt, Felt>;
}

/** Token balance at genesis. */
export interface GenesisBalance {
  readonly address: Felt;
  readonly token: "strk" | "eth";
  /** In the smallest unit (fri or wei), below 2^256. */
  readonly amount: bigint;
}

/** State before the transactions of block 0. */
export interface GenesisConfig {
  readonly classes: readonly GenesisClass[];
  readonly contracts: ReadonlyMap<Felt, GenesisContract>;
  readonly balances: readonly GenesisBalance[];
}

/**
 * Configuration of a chain, validated and complete.
 *
 * Plain data that can be posted to threads. Addresses and gas are `bigint`, durations milliseconds.
 */
export interface ChainConfig {
  readonly chainName: string;
  /** At most 31 printable ASCII characters; its felt is the short string. */
  readonly chainId: string;
  /** STRK, the fee token of version 3 transactions. */
  readonly nativeFeeTokenAddress: Felt;
  /** ETH, the fee token of older transactions. */
  readonly parentFeeTokenAddress: Felt;
  /** Protocol version of new blocks. */
  readonly latestProtocolVersion: string;
  /** Absolute file path or `builtin`, by version. */
  readonly versionedConstants: ReadonlyMap<string, string>;
  /** Parsed contents of those files. */
  readonly customConstants: ReadonlyMap<string, ProtocolConstantsData>;
  /** SHA-256 of those contents, independent of their layout. */
  readonly customConstantsHashes: ReadonlyMap<string, string>;
  readonly settlementChainKind: "Ethereum" | "Starknet";
  /** 0 if not deployed. */
  readonly ethCoreContractAddress: bigint;
  readonly ethGpsStatementVerifier: bigint | null;
  readonly l1DaMode: "BLOB" | "CALLDATA";
  readonly l1MessagesReplayMaxDurationMs: number;
  /** Confirmations before an L1 message is accepted. */
  readonly l1MessagesFinalityBlocks: number;
  readonly feederGatewayUrl: string | null;
  readonly gatewayUrl: string | null;
  /** Public key of the block signer; full nodes check signatures against it. */
  readonly sequencerPublicKey: Felt | null;
  readonly sequencerAddress: Felt;
  readonly blockTimeMs: number;
  readonly pendingBlockUpdateTimeMs: number;
  /** Whether to close a block as soon as all waiting transactions are executed. */
  readonly blocksOnDemand: boolean;
  /** Whether to keep a block open while it has no transactions. */
  readonly noEmptyBlocks: boolean;
  /** Transactions per batch of the block builder. */
  readonly executionBatchSize: number;
  readonly blockProductionConcurrency: BlockProductionConcurrency;
  readonly bouncer: BouncerConfig;
  readonly l2GasPrice: L2GasPriceConfig;
  /** Highest nonce of an invoke that is accepted unvalidated before its deploy account is executed. */
  readonly maxNonceForValidationSkip: number;
  readonly mempoolMode: "Timestamp" | "Tip";
  readonly mempoolFullPolicy: "evict_less_desirable" | "reject_new";
  /** Minimum relative increase of the tip that replaces a waiting transaction: 0.1 is 10 %. */
  readonly mempoolMinTipBump: number;
  readonly mempoolMaxTransactions: number;
  /** Maximum encoded size of all waiting transactions. */
  readonly mempoolMaxBytes: number;
  /** Maximum waiting transactions of one account. */
  readonly mempoolMaxTransactionsPerAccount: number;
  readonly mempoolMaxBytesPerAccount: number;
  readonly mempoolMaxDeclareTransactions: number;
  /** Lifetime of waiting transactions; `null` for unlimited. */
  readonly mempoolTtlMs: number | null;
  /** How long the rejection reason of a received transaction is remembered. */
  readonly mempoolRejectionTtlMs: number;
  readonly genesis: GenesisConfig | null;
}
