import type { Felt } from "#base/primitives/index.ts";
import type {
  BuiltinName,
  FeeBuiltinName,
  GasBuiltinName,
  OsTransactionKind,
  SyscallName,
} from "./names.ts";

/** Non-negative fraction; the fee rules define where rates times amounts are rounded. */
export type Rational = readonly [numerator: bigint, denominator: bigint];

/** Resources used by a piece of Cairo code. Unused builtins are omitted. */
export interface VmResources {
  readonly steps: number;
  readonly memoryHoles: number;
  /** Instances per builtin, all above 0. */
  readonly builtins: Readonly<Partial<Record<BuiltinName, number>>>;
  /** Executed Blake2s instructions (opcode `blake` of the prover); omitted when 0. */
  readonly blake?: number;
}

/**
 * Resources that grow with calldata: `constant + perCalldata * length / calldataScale`.
 *
 * `calldataScale` is 1 or, since 0.14.0 for invoke and deploy account, 2: the factor is then per pair.
 */
export interface LinearResources {
  readonly constant: VmResources;
  readonly perCalldata: VmResources;
  readonly calldataScale: number;
}

/** Gas of the three kinds. */
export interface GasVector {
  readonly l1Gas: bigint;
  readonly l1DataGas: bigint;
  readonly l2Gas: bigint;
}

/** Price of archived data, in gas of the transaction's mode. */
export interface ArchivalDataGasCosts {
  readonly gasPerDataFelt: Rational;
  readonly eventKeyFactor: Rational;
  readonly gasPerCodeByte: Rational;
  readonly gasPerProof: Rational;
}

/** Sierra gas of a system call: `base + linearFactor * calldata length`. */
export interface SyscallGasCost {
  readonly base: bigint;
  readonly linearFactor: bigint;
}

/** Behaviour switches between protocol versions (source: blockifier's versioned constants). */
export interface ProtocolFlags {
  readonly disableCairo0Redeclaration: boolean;
  /** State diffs refer to contracts by alias (contract 0x2 holds the table). */
  readonly enableStatefulCompression: boolean;
  /** The state diff lists only values that actually changed. */
  readonly comprehensiveStateDiff: boolean;
  /** A direct call of `__execute__` by a contract fails with 'Invalid argument'. */
  readonly blockDirectExecuteCall: boolean;
  /** Events of inner calls do not count towards the archival data cost. */
  readonly ignoreInnerEventResources: boolean;
  readonly disableDeployInValidationMode: boolean;
  /** The caller can catch the failure of an inner call. */
  readonly enableReverts: boolean;
  /** Compiled class hashes of touched classes migrate to the Blake form. */
  readonly enableCasmHashMigration: boolean;
  /** Declare v3 must name the Blake compiled class hash. */
  readonly blockCasmHashV1Declares: boolean;
  /** Revert texts of Sierra-gas calls omit program counters. */
  readonly stripVmFramesInSierraGas: boolean;
  readonly enableTip: boolean;
  /** Segment arena instances count three cells each. */
  readonly segmentArenaCells: boolean;
}

/** Constants that the Starknet OS shares with the engine; gas is Sierra (L2) gas. */
export interface OsConstants {
  readonly allowedVirtualOsProgramHashes: ReadonlySet<Felt>;
  readonly allowedProofVersions: ReadonlySet<Felt>;
  /** Granularity to which validate mode rounds down block numbers and timestamps (seconds). */
  readonly validateRounding: { readonly blockNumber: number; readonly timestampSeconds: number };
  readonly executeMaxSierraGas: bigint;
  readonly validateMaxSierraGas: bigint;
  readonly stepGasCost: bigint;
  readonly memoryHoleGasCost: bigint;
  readonly builtinGasCosts: Readonly<Record<GasBuiltinName, bigint>>;
  readonly blakeGasCost: bigint;
  /** Base gas that compiled code prepays for each system call. */
  readonly syscallBaseGasCost: bigint;
  /** Charged to the gas of a call before the entry point runs. */
  readonly entryPointInitialBudget: bigint;
  /** Initial gas counter of calls that are not metered in gas. */
  readonly defaultInitialGasCost: bigint;
  readonly l1HandlerMaxAmountBounds: GasVector;
  readonly contractAddresses: {
    readonly blockHash: Felt;
    readonly alias: Felt;
    readonly reserved: Felt;
  };
  /** Distance from the newest block to the newest block hash that a contract can read. */
  readonly storedBlockHashBuffer: number;
  /** Class hashes of accounts that see transaction version 1. */
  readonly v1BoundAccountsCairo0: ReadonlySet<Felt>;
  readonly v1BoundAccountsCairo1: ReadonlySet<Felt>;
  /** Highest tip (fri per gas) for which the v1 view applies. */
  readonly v1BoundAccountsMaxTip: bigint;
  /** Class hashes of accounts that do not see the L1 data gas bound. */
  readonly dataGasAccounts: ReadonlySet<Felt>;
}

/** Resources that the OS itself uses for calls, transactions and the data commitment. */
export interface OsResources {
  readonly syscalls: Readonly<Record<SyscallName, LinearResources>>;
  readonly transactions: Readonly<Record<OsTransactionKind, LinearResources>>;
  /** Per word of data availability; zero before 0.13.2. */
  readonly kzgCommitment: VmResources;
}

/** Constants of one protocol version as stated in the data files. */
export interface ProtocolConstantsData {
  readonly txEventLimits: {
    readonly maxDataLength: number;
    readonly maxKeysLength: number;
    readonly maxEmittedEvents: number;
  };
  /** Limits of admission; not applied to blocks of other sequencers. */
  readonly gateway: {
    readonly maxCalldataLength: number;
    readonly maxContractBytecodeSize: number;
    readonly maxProofSize: number;
  };
  readonly invokeTxMaxSteps: number;
  readonly validateMaxSteps: number;
  readonly maxRecursionDepth: number;
  /** Archival data in L1 gas (`l1GasMode`) and, for all-resources bounds, L2 gas (`l2GasMode`). */
  readonly archivalDataGasCosts: {
    readonly l1GasMode: ArchivalDataGasCosts;
    readonly l2GasMode: ArchivalDataGasCosts;
  };
  /** Price of a storage cell that becomes non-zero, per data availability mode. */
  readonly allocationCost: { readonly blob: GasVector; readonly calldata: GasVector };
  /** L1 gas per step and per builtin instance. */
  readonly vmResourceFeeCost: {
    readonly steps: Rational;
    readonly builtins: Readonly<Record<FeeBuiltinName, Rational>>;
  };
  readonly flags: ProtocolFlags;
  /** Minimum Sierra version of classes metered in Sierra gas. */
  readonly minSierraVersionForSierraGas: readonly [major: number, minor: number, patch: number];
  readonly os: OsConstants;
  readonly osResources: OsResources;
  /** Stated prices (up to 0.13.3); newer versions derive them from {@link OsResources}. */
  readonly statedSyscallGasCosts?: Readonly<Record<SyscallName, bigint>>;
}

/** Constants of one protocol version with all derived values. */
export interface ProtocolConstants extends ProtocolConstantsData {
  /** Version key of these constants, for example `0.13.2`. */
  readonly version: string;
  /** Sierra gas per system call, stated or derived. */
  readonly syscallGasCosts: Readonly<Record<SyscallName, SyscallGasCost>>;
}
