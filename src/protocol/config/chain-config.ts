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

/**
 * What fits into one block. Both public shapes are read into this one; what a shape does not limit
 * is 2^64 - 1.
 */
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
  /** Felts of the state diff. */
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

/** When a block is full. */
export interface BouncerConfig {
  /** Whether the file limits steps or Sierra gas; decides which weights a block reports. */
  readonly shape: "steps" | "sierra_gas";
  readonly capacity: BlockCapacity;
  /** Proving gas per builtin instance. */
  readonly builtinWeights: Readonly<Record<BuiltinWeightName, bigint>>;
}

/** How the L2 gas price of the next block is found; prices in fri. */
export type L2GasPriceConfig =
  | { readonly type: "fixed"; readonly price: bigint }
  | {
      readonly type: "eip1559";
      /** L2 gas of a block at which the price stays. */
      readonly target: bigint;
      readonly minPrice: bigint;
      /** The price moves by at most 1/denominator a block. */
      readonly maxChangeDenominator: bigint;
    };

/** How a block's transactions are executed in parallel. */
export interface BlockProductionConcurrency {
  readonly disableConcurrency: boolean;
  /** 0: as many as there are cores. */
  readonly workers: number;
  readonly batchSize: number;
  readonly maxTxsPerAccountPerBatch: number;
}

/** Contracts that ship with the program, by the names that a `genesis` section uses. */
export const SHIPPED_CONTRACTS = [
  "account",
  "fee_token",
  "erc20",
  "universal_deployer",
  "token_bridge",
] as const;

/** One of {@link SHIPPED_CONTRACTS}. */
export type ShippedContract = (typeof SHIPPED_CONTRACTS)[number];

/** Where the code of a genesis class comes from. */
export type GenesisClassSource =
  /** A class that ships with the program. */
  | { readonly kind: "builtin"; readonly builtin: ShippedContract }
  /** A Sierra class, for which `casm` saves compiling, or a Cairo 0 class without `casm`; absolute paths. */
  | { readonly kind: "files"; readonly sierraPath: string; readonly casmPath: string | null };

/** A class that is declared at genesis. */
export interface GenesisClass {
  /** Name by which contracts of the same section refer to it. */
  readonly name: string;
  readonly source: GenesisClassSource;
}

/** The class of a genesis contract: a name of the same section, or a hash of one of its classes. */
export type GenesisClassReference =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "hash"; readonly classHash: Felt };

/** A contract that exists from genesis. */
export interface GenesisContract {
  readonly class: GenesisClassReference;
  readonly nonce: Felt;
  readonly storage: ReadonlyMap<Felt, Felt>;
}

/** Tokens given out at genesis. */
export interface GenesisBalance {
  readonly address: Felt;
  readonly token: "strk" | "eth";
  /** In the smallest unit (fri or wei), below 2^256. */
  readonly amount: bigint;
}

/** State that exists before block 0's transactions. */
export interface GenesisConfig {
  readonly classes: readonly GenesisClass[];
  readonly contracts: ReadonlyMap<Felt, GenesisContract>;
  readonly balances: readonly GenesisBalance[];
}

/**
 * A chain's configuration, validated and complete.
 *
 * Plain data: it can be posted to threads. Addresses and gas are `bigint`, durations milliseconds.
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
  /** Version to an absolute file path, or `builtin`. */
  readonly versionedConstants: ReadonlyMap<string, string>;
  /** The contents of those files. */
  readonly customConstants: ReadonlyMap<string, ProtocolConstantsData>;
  /** SHA-256 of those contents, however they are laid out. */
  readonly customConstantsHashes: ReadonlyMap<string, string>;
  readonly settlementChainKind: "Ethereum" | "Starknet";
  /** 0 when there is none yet. */
  readonly ethCoreContractAddress: bigint;
  readonly ethGpsStatementVerifier: bigint | null;
  readonly l1DaMode: "BLOB" | "CALLDATA";
  readonly l1MessagesReplayMaxDurationMs: number;
  /** Confirmations before a message from L1 is taken. */
  readonly l1MessagesFinalityBlocks: number;
  readonly feederGatewayUrl: string | null;
  readonly gatewayUrl: string | null;
  /** Key that signs blocks; full nodes check signatures against it. */
  readonly sequencerPublicKey: Felt | null;
  readonly sequencerAddress: Felt;
  readonly blockTimeMs: number;
  readonly pendingBlockUpdateTimeMs: number;
  /** A block closes as soon as the waiting transactions are executed. */
  readonly blocksOnDemand: boolean;
  /** A block without transactions is not closed. */
  readonly noEmptyBlocks: boolean;
  /** Transactions per batch of the block builder. */
  readonly executionBatchSize: number;
  readonly blockProductionConcurrency: BlockProductionConcurrency;
  readonly bouncer: BouncerConfig;
  readonly l2GasPrice: L2GasPriceConfig;
  /** Highest nonce of an invoke that may follow an unexecuted deploy account unvalidated. */
  readonly maxNonceForValidationSkip: number;
  readonly mempoolMode: "Timestamp" | "Tip";
  readonly mempoolFullPolicy: "evict_less_desirable" | "reject_new";
  /** Least relative raise of the tip that replaces a waiting transaction: 0.1 is 10 %. */
  readonly mempoolMinTipBump: number;
  readonly mempoolMaxTransactions: number;
  /** Encoded size of all waiting transactions. */
  readonly mempoolMaxBytes: number;
  /** Of one account, at the same time. */
  readonly mempoolMaxTransactionsPerAccount: number;
  readonly mempoolMaxBytesPerAccount: number;
  readonly mempoolMaxDeclareTransactions: number;
  /** `null`: transactions wait without limit. */
  readonly mempoolTtlMs: number | null;
  /** How long it is known why a received transaction was dropped. */
  readonly mempoolRejectionTtlMs: number;
  readonly genesis: GenesisConfig | null;
}
