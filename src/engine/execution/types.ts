import type {
  BlockInfo,
  EntryPointType,
  FeeUnit,
  Receipt,
  StateDiff,
} from "#protocol/chain/index.ts";
import type {
  GasVector,
  ProtocolConstants,
  SyscallName,
  VmResources,
} from "#protocol/versions/index.ts";
import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { PrimitiveName } from "./resources.ts";
import type { PrevalidatedCall } from "./validation/prevalidated.ts";

/** Addresses of the contracts in which fees are paid: STRK for version 3, ETH for older versions. */
export interface FeeTokens {
  readonly strk: Felt;
  readonly eth: Felt;
}

/** What a block or a transaction weighs. Every member is below 2^64. */
export interface BouncerWeights {
  /** L1 gas of messages between the layers, without the prover's part. */
  readonly l1Gas: bigint;
  readonly messageSegmentLength: bigint;
  readonly eventCount: bigint;
  readonly transactionCount: bigint;
  /** Words of the state diff as data availability counts them. */
  readonly stateDiffSize: bigint;
  readonly sierraGas: bigint;
  readonly provingGas: bigint;
  /** L2 gas of the receipts. */
  readonly receiptL2Gas: bigint;
  /** Machine steps with the operating system's part (older capacity form). */
  readonly steps: bigint;
}

/** Primitives of the machine that proving gas counts. */
export type ProvingPrimitive =
  | "pedersen"
  | "range_check"
  | "range_check96"
  | "poseidon"
  | "ecdsa"
  | "ec_op"
  | "bitwise"
  | "keccak"
  | "add_mod"
  | "mul_mod"
  | "blake";

/**
 * Capacity of a block. A dimension that is absent has no limit. `instanceLimits` gives the proving
 * gas of a primitive: `provingGas / limit`, rounded down; absent members have the protocol's defaults.
 * `provingGasCosts` gives it directly and comes first.
 */
export interface BouncerCapacity {
  readonly limits: Readonly<Partial<BouncerWeights>>;
  readonly instanceLimits?: Readonly<Partial<Record<ProvingPrimitive, bigint>>>;
  readonly provingGasCosts?: Readonly<Partial<Record<ProvingPrimitive, bigint>>>;
}

/** Everything outside of the state that execution depends on. */
export interface BlockContext {
  readonly info: BlockInfo;
  /** The chain id as a short string felt. */
  readonly chainId: Felt;
  readonly feeTokens: FeeTokens;
  readonly constants: ProtocolConstants;
  readonly bouncer: BouncerCapacity;
}

/** How a transaction is executed. */
export interface ExecutionFlags {
  /** Run `__validate__` (default true). */
  readonly validate?: boolean;
  /** Check bounds and balance and take the fee. Default: when the bounds allow any fee at all. */
  readonly chargeFee?: boolean;
  /** The nonce must equal the account's (default true); otherwise it must not be below. */
  readonly strictNonce?: boolean;
  /** Contracts see the query version, 2^128 + version (default false). */
  readonly onlyQuery?: boolean;
  /**
   * Together with `chargeFee: false`, for chains that take no fees: an L2 gas bound of 0 stands for
   * the protocol's maximum, and receipts show a fee of 0 (default false: it means no gas, and
   * receipts show the fee that was not taken, as in the reference engine).
   */
  readonly freeGas?: boolean;
  /** Keep what inner calls were given and returned, for a trace (default false). */
  readonly trace?: boolean;
}

/** An event of a call; `order` counts the events of the transaction phase. */
export interface OrderedEvent {
  readonly order: number;
  readonly keys: readonly Felt[];
  readonly data: readonly Felt[];
}

/** A message of a call to L1; `order` counts the messages of the transaction phase. */
export interface OrderedMessage {
  readonly order: number;
  readonly toAddress: Felt;
  readonly payload: readonly Felt[];
}

/** How often a syscall was made, and the sum of its linear factors (calldata felts, Keccak rounds). */
export interface SyscallUsage {
  calls: number;
  linear: number;
}

/** How a call is metered: by machine steps or by the gas counter of compiled code. */
export type TrackedResource = "cairo_steps" | "sierra_gas";

/** One executed call with its inner calls: the node of a trace. */
export interface CallInfo {
  readonly entryPointType: EntryPointType;
  readonly callType: "CALL" | "DELEGATE";
  /** The contract whose storage the call works on. */
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  /** The contract whose code runs where it differs, in old delegate calls; `null` otherwise. */
  readonly codeAddress: Felt | null;
  readonly entryPointSelector: Felt;
  readonly callerAddress: Felt;
  /**
   * Of inner calls only where a trace was asked for, else empty; `result` too, but of those whose
   * panic the caller passed on.
   */
  readonly calldata: Felts;
  readonly result: Felts;
  /** The call ended in a panic that its caller can handle. */
  readonly failed: boolean;
  readonly trackedResource: TrackedResource;
  readonly initialGas: bigint;
  readonly gasConsumed: bigint;
  /** Machine resources with inner calls and the operating system's part of syscalls. */
  readonly vmResources: VmResources;
  /** Builtins and Blake2s instructions of this call's own run. */
  readonly primitiveCounters: Readonly<Partial<Record<PrimitiveName, number>>>;
  /** Syscalls of this call's own run. */
  readonly syscalls: ReadonlyMap<SyscallName, Readonly<SyscallUsage>>;
  readonly events: readonly OrderedEvent[];
  readonly messages: readonly OrderedMessage[];
  /** Values read from storage in order. */
  readonly storageReadValues: readonly Felt[];
  readonly accessedStorageKeys: ReadonlySet<Felt>;
  readonly readClassHashValues: readonly Felt[];
  readonly accessedContractAddresses: ReadonlySet<Felt>;
  readonly readBlockHashValues: readonly Felt[];
  readonly accessedBlocks: ReadonlySet<number>;
  readonly innerCalls: readonly CallInfo[];
}

/** Counts of a state diff as the fee sees them. */
export interface StateChangesCount {
  readonly storageUpdates: number;
  readonly classHashUpdates: number;
  readonly compiledClassHashUpdates: number;
  readonly modifiedContracts: number;
  /** Storage cells that were 0 before. */
  readonly allocatedKeys: number;
}

/** All that a transaction used, before it is priced. */
export interface TransactionResources {
  /** Machine resources of validation and execution. */
  readonly transaction: VmResources;
  /** Machine resources of the operating system for this transaction. */
  readonly os: VmResources;
  readonly revertedSteps: number;
  readonly sierraGas: bigint;
  readonly revertedSierraGas: bigint;
  readonly calldataLength: number;
  readonly signatureLength: number;
  readonly codeSize: number;
  /** The transaction came with a client-side proof. */
  readonly hasProof: boolean;
  readonly eventCount: number;
  readonly eventKeys: number;
  readonly eventData: number;
  readonly messagePayloadLengths: readonly number[];
  readonly messageSegmentLength: number;
  readonly l1HandlerPayloadSize: number | null;
  readonly stateChanges: StateChangesCount;
}

/** Everything computed about an included transaction; traces are made from it. */
export interface TransactionExecutionInfo {
  readonly validate: CallInfo | null;
  /** The constructor for DEPLOY_ACCOUNT; `null` after a revert. */
  readonly execute: CallInfo | null;
  readonly feeTransfer: CallInfo | null;
  readonly revertReason: string | null;
  readonly resources: TransactionResources;
  readonly gas: GasVector;
  readonly daGas: GasVector;
  readonly actualFee: bigint;
  readonly feeUnit: FeeUnit;
  /** What the transaction added to the block. */
  readonly weights: BouncerWeights;
  /** What the transaction changed. */
  readonly stateDiff: StateDiff;
}

/** Why a transaction can not be included. */
export type RejectionCode =
  | "INVALID_VERSION"
  | "INVALID_NONCE"
  | "INSUFFICIENT_BOUNDS"
  | "INSUFFICIENT_BALANCE"
  | "VALIDATION_FAILED"
  | "NOT_AN_ACCOUNT"
  | "CONSTRUCTOR_FAILED"
  | "CLASS_NOT_FOUND"
  | "CLASS_ALREADY_DECLARED"
  | "COMPILED_CLASS_HASH_MISMATCH"
  | "FEE_CHECK_FAILED"
  | "FEE_TRANSFER_FAILED"
  | "TOO_LARGE"
  /** It needs more memory than this node gives to a transaction; no limit of the protocol. */
  | "OUT_OF_MEMORY"
  | "UNSUPPORTED";

/** A rejection: `kind` is the reference engine's name of the error, `message` its text. */
export interface Rejection {
  readonly code: RejectionCode;
  readonly kind: string;
  readonly message: string;
}

/** How the execution of one transaction ended; only `included` leaves a trace in the state. */
export type TransactionOutcome =
  | {
      readonly kind: "included";
      readonly receipt: Receipt;
      readonly info: TransactionExecutionInfo;
    }
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "block_full" }
  | { readonly kind: "cancelled" };

/** How admission's validation ended. `gas` is what validation alone would cost. */
export type ValidationOutcome =
  | {
      readonly kind: "valid";
      /** `__validate__` was left out because the account is not deployed yet. */
      readonly skipped: boolean;
      readonly gas: GasVector;
      /** What a block's execution may use instead of validating again; invokes have it mostly. */
      readonly prevalidated?: PrevalidatedCall;
    }
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "cancelled" };

/** One frame of a failed call, outermost first (CONTRACT_EXECUTION_ERROR of the specification). */
export interface CallFailureFrame {
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  readonly selector: Felt;
}

/** The structured form of a failure: nested frames around a final message. */
export interface CallFailure {
  readonly frames: readonly CallFailureFrame[];
  /** The innermost error. */
  readonly message: string;
  /** The whole text, as a revert reason has it. */
  readonly text: string;
}

/** How a read-only call ended. */
export type CallOutcome =
  | { readonly kind: "ok"; readonly retdata: readonly Felt[] }
  | { readonly kind: "failed"; readonly failure: CallFailure; readonly retdata: readonly Felt[] }
  | { readonly kind: "contract_not_found" }
  | { readonly kind: "entry_point_not_found" }
  | { readonly kind: "cancelled" };

/** A read-only call of an external entry point. */
export interface ContractCall {
  readonly contractAddress: Felt;
  readonly entryPointSelector: Felt;
  readonly calldata: readonly Felt[];
}

/** Prices of the three resources in one unit. */
export interface PriceVector {
  readonly l1Gas: bigint;
  readonly l1DataGas: bigint;
  readonly l2Gas: bigint;
}

/** An estimate: gas that the bounds should allow, current prices and their product. */
export interface FeeEstimate {
  readonly gas: GasVector;
  readonly prices: PriceVector;
  readonly overallFee: bigint;
  readonly unit: FeeUnit;
}

/** How an estimate ended; `index` names the failing transaction. */
export type EstimateOutcome =
  | { readonly kind: "ok"; readonly estimates: readonly FeeEstimate[] }
  | {
      readonly kind: "failed";
      readonly index: number;
      readonly reason: string;
      readonly failure?: CallFailure;
    }
  | { readonly kind: "cancelled" };

/** What closing a block adds to what its transactions changed. */
export interface FinishedBlock {
  /** With aliases (contract 0x2) and migrated compiled class hashes. */
  readonly stateDiff: StateDiff;
  readonly weights: BouncerWeights;
  /** Gas for hashing each executed class, by class hash. */
  readonly casmHashSierraGas: ReadonlyMap<Felt, bigint>;
  readonly casmHashProvingGas: ReadonlyMap<Felt, bigint>;
  readonly sierraGasWithoutCasmHash: bigint;
  readonly provingGasWithoutCasmHash: bigint;
  /** Pairs (new, old) of migrated compiled class hashes, ascending. */
  readonly migratedCompiledClassHashes: readonly (readonly [Felt, Felt])[];
}
