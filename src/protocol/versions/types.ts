import type { Felt } from "#base/primitives/index.ts";
import type {
  BuiltinName,
  FeeBuiltinName,
  GasBuiltinName,
  OsTransactionKind,
  SyscallName,
} from "./names.ts";

/** A non-negative fraction; rates times amounts are rounded where the fee rules say so. */
export type Rational = readonly [numerator: bigint, denominator: bigint];

/** What a piece of Cairo code uses. Builtins that are not used are left out. */
export interface VmResources {
  readonly steps: number;
  readonly memoryHoles: number;
  /** Instances per builtin, all above 0. */
  readonly builtins: Readonly<Partial<Record<BuiltinName, number>>>;
  /** Executed Blake2s instructions (opcode `blake` of the prover); absent when there are none. */
  readonly blake?: number;
}

/**
 * Resources that grow with calldata: `constant + perCalldata * length / calldataScale`.
 *
 * `calldataScale` is 1 or, from 0.14.0 for invoke and deploy account, 2: the factor is per pair.
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

/** Price of data that must be kept, in gas of the transaction's mode. */
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
  /** A Cairo 0 class may be declared once only. */
  readonly disableCairo0Redeclaration: boolean;
  /** State diffs name contracts by alias (contract 0x2 keeps the table). */
  readonly enableStatefulCompression: boolean;
  /** The state diff lists only values that really changed. */
  readonly comprehensiveStateDiff: boolean;
  /** A direct call of `__execute__` by a contract fails with 'Invalid argument'. */
  readonly blockDirectExecuteCall: boolean;
  /** Events of inner calls are left out of the archival data cost. */
  readonly ignoreInnerEventResources: boolean;
  /** `deploy` is forbidden in validate mode. */
  readonly disableDeployInValidationMode: boolean;
  /** A failing inner call can be caught by the caller. */
  readonly enableReverts: boolean;
  /** Compiled class hashes of touched classes move to the Blake form. */
  readonly enableCasmHashMigration: boolean;
  /** Declare v3 must name the Blake compiled class hash. */
  readonly blockCasmHashV1Declares: boolean;
  /** Revert texts of Sierra-gas calls have no program counters. */
  readonly stripVmFramesInSierraGas: boolean;
  /** The tip is part of the L2 gas price. */
  readonly enableTip: boolean;
  /** Segment arena instances count three cells each. */
  readonly segmentArenaCells: boolean;
}

/** Constants that the Starknet OS shares with the engine; gas is Sierra (L2) gas. */
export interface OsConstants {
  readonly allowedVirtualOsProgramHashes: ReadonlySet<Felt>;
  readonly allowedProofVersions: ReadonlySet<Felt>;
  /** What validate mode rounds down to: block numbers and timestamps (seconds). */
  readonly validateRounding: { readonly blockNumber: number; readonly timestampSeconds: number };
  readonly executeMaxSierraGas: bigint;
  readonly validateMaxSierraGas: bigint;
  readonly stepGasCost: bigint;
  readonly memoryHoleGasCost: bigint;
  readonly builtinGasCosts: Readonly<Record<GasBuiltinName, bigint>>;
  /** Gas of one Blake2s opcode. */
  readonly blakeGasCost: bigint;
  /** Prepaid by compiled code for each system call. */
  readonly syscallBaseGasCost: bigint;
  /** Taken from the gas of a call before the entry point runs. */
  readonly entryPointInitialBudget: bigint;
  /** Gas counter of calls that are not metered in gas. */
  readonly defaultInitialGasCost: bigint;
  readonly l1HandlerMaxAmountBounds: GasVector;
  readonly contractAddresses: {
    readonly blockHash: Felt;
    readonly alias: Felt;
    readonly reserved: Felt;
  };
  /** Blocks between the newest block and the newest hash a contract can read. */
  readonly storedBlockHashBuffer: number;
  /** Class hashes of accounts that are shown transaction version 1. */
  readonly v1BoundAccountsCairo0: ReadonlySet<Felt>;
  readonly v1BoundAccountsCairo1: ReadonlySet<Felt>;
  /** Highest tip (fri per gas) for which the v1 view applies. */
  readonly v1BoundAccountsMaxTip: bigint;
  /** Class hashes of accounts that are not shown the L1 data gas bound. */
  readonly dataGasAccounts: ReadonlySet<Felt>;
}

/** What the OS itself uses for calls, transactions and the data commitment. */
export interface OsResources {
  readonly syscalls: Readonly<Record<SyscallName, LinearResources>>;
  readonly transactions: Readonly<Record<OsTransactionKind, LinearResources>>;
  /** Per word of data availability; nothing before 0.13.2. */
  readonly kzgCommitment: VmResources;
}

/** The constants of one protocol version as the data files state them. */
export interface ProtocolConstantsData {
  readonly txEventLimits: {
    readonly maxDataLength: number;
    readonly maxKeysLength: number;
    readonly maxEmittedEvents: number;
  };
  /** Limits of admission; blocks of others are not held to them. */
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
  /** Classes of this Sierra version or newer are metered in Sierra gas. */
  readonly minSierraVersionForSierraGas: readonly [major: number, minor: number, patch: number];
  readonly os: OsConstants;
  readonly osResources: OsResources;
  /** Stated prices (up to 0.13.3); newer versions derive them from {@link OsResources}. */
  readonly statedSyscallGasCosts?: Readonly<Record<SyscallName, bigint>>;
}

/** The constants of one protocol version, everything resolved. */
export interface ProtocolConstants extends ProtocolConstantsData {
  /** The key under which these constants were found, for example `0.13.2`. */
  readonly version: string;
  /** Sierra gas per system call, stated or derived. */
  readonly syscallGasCosts: Readonly<Record<SyscallName, SyscallGasCost>>;
}
