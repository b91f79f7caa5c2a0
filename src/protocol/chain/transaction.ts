import type { Felt } from "#base/primitives/index.ts";

/** Upper limit of one resource: `maxAmount` is u64 gas, `maxPricePerUnit` u128 FRI per gas. */
export interface ResourceBound {
  readonly maxAmount: bigint;
  readonly maxPricePerUnit: bigint;
}

/**
 * Resource bounds of a v3 transaction (SNIP-8). `l1DataGas` is `null` in the older form that bounds L1 gas
 * only, which is hashed without the third resource.
 */
export interface ResourceBounds {
  readonly l1Gas: ResourceBound;
  readonly l2Gas: ResourceBound;
  readonly l1DataGas: ResourceBound | null;
}

/** Where nonce or fee balance data is made available: 0 is L1, 1 is L2. */
export type DataAvailabilityMode = 0 | 1;

/** Fields shared by all v3 transactions. `tip` is u64 FRI per L2 gas. */
export interface V3Fields {
  readonly resourceBounds: ResourceBounds;
  readonly tip: bigint;
  readonly paymasterData: readonly Felt[];
  readonly nonceDataAvailabilityMode: DataAvailabilityMode;
  readonly feeDataAvailabilityMode: DataAvailabilityMode;
}

/** Calls one entry point directly, without a nonce. */
export interface InvokeV0 {
  readonly type: "INVOKE";
  readonly version: 0;
  readonly maxFee: bigint;
  readonly signature: readonly Felt[];
  readonly contractAddress: Felt;
  readonly entryPointSelector: Felt;
  readonly calldata: readonly Felt[];
}

/** Calls `__execute__` of an account; fee in WEI up to `maxFee`. */
export interface InvokeV1 {
  readonly type: "INVOKE";
  readonly version: 1;
  readonly maxFee: bigint;
  readonly signature: readonly Felt[];
  readonly nonce: Felt;
  readonly senderAddress: Felt;
  readonly calldata: readonly Felt[];
}

/** Calls `__execute__` of an account; fee in FRI by resource bounds. */
export interface InvokeV3 extends V3Fields {
  readonly type: "INVOKE";
  readonly version: 3;
  readonly signature: readonly Felt[];
  readonly nonce: Felt;
  readonly senderAddress: Felt;
  readonly calldata: readonly Felt[];
  readonly accountDeploymentData: readonly Felt[];
  /** Facts of the proof submitted with the transaction; hashed when not empty. */
  readonly proofFacts: readonly Felt[];
}

/** Declares a Cairo 0 class without nonce. */
export interface DeclareV0 {
  readonly type: "DECLARE";
  readonly version: 0;
  readonly maxFee: bigint;
  readonly signature: readonly Felt[];
  readonly senderAddress: Felt;
  readonly classHash: Felt;
}

/** Declares a Cairo 0 class. */
export interface DeclareV1 {
  readonly type: "DECLARE";
  readonly version: 1;
  readonly maxFee: bigint;
  readonly signature: readonly Felt[];
  readonly nonce: Felt;
  readonly senderAddress: Felt;
  readonly classHash: Felt;
}

/** Declares a Sierra class; fee in WEI. */
export interface DeclareV2 {
  readonly type: "DECLARE";
  readonly version: 2;
  readonly maxFee: bigint;
  readonly signature: readonly Felt[];
  readonly nonce: Felt;
  readonly senderAddress: Felt;
  readonly classHash: Felt;
  readonly compiledClassHash: Felt;
}

/** Declares a Sierra class; fee in FRI by resource bounds. */
export interface DeclareV3 extends V3Fields {
  readonly type: "DECLARE";
  readonly version: 3;
  readonly signature: readonly Felt[];
  readonly nonce: Felt;
  readonly senderAddress: Felt;
  readonly classHash: Felt;
  readonly compiledClassHash: Felt;
  readonly accountDeploymentData: readonly Felt[];
}

/** Deploys an account that pays for its own deployment; fee in WEI. `contractAddress` is derived. */
export interface DeployAccountV1 {
  readonly type: "DEPLOY_ACCOUNT";
  readonly version: 1;
  readonly maxFee: bigint;
  readonly signature: readonly Felt[];
  readonly nonce: Felt;
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  readonly contractAddressSalt: Felt;
  readonly constructorCalldata: readonly Felt[];
}

/** Deploys an account that pays for its own deployment; fee in FRI. `contractAddress` is derived. */
export interface DeployAccountV3 extends V3Fields {
  readonly type: "DEPLOY_ACCOUNT";
  readonly version: 3;
  readonly signature: readonly Felt[];
  readonly nonce: Felt;
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  readonly contractAddressSalt: Felt;
  readonly constructorCalldata: readonly Felt[];
}

/** Deploy transaction of early Starknet: hashed and displayed, never executed. */
export interface DeployLegacy {
  readonly type: "DEPLOY";
  readonly version: 0 | 1;
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  readonly contractAddressSalt: Felt;
  readonly constructorCalldata: readonly Felt[];
}

/**
 * Message from L1 to a contract. `calldata[0]` is the L1 sender. `paidFeeOnL1` (wei) is known to the
 * sequencer only and not hashed; `null` when unknown.
 */
export interface L1Handler {
  readonly type: "L1_HANDLER";
  readonly version: 0;
  readonly nonce: Felt;
  readonly contractAddress: Felt;
  readonly entryPointSelector: Felt;
  readonly calldata: readonly Felt[];
  readonly paidFeeOnL1: bigint | null;
}

/** Any invoke transaction. */
export type InvokeTransaction = InvokeV0 | InvokeV1 | InvokeV3;
/** Any declare transaction. */
export type DeclareTransaction = DeclareV0 | DeclareV1 | DeclareV2 | DeclareV3;
/** Any deploy-account transaction. */
export type DeployAccountTransaction = DeployAccountV1 | DeployAccountV3;
/** Transaction with a sender that pays the fee. */
export type AccountTransaction = InvokeTransaction | DeclareTransaction | DeployAccountTransaction;
/** Any transaction that a block can contain. */
export type Transaction = AccountTransaction | DeployLegacy | L1Handler;

/** Transaction with its hash. */
export interface HashedTransaction<T extends Transaction = Transaction> {
  readonly hash: Felt;
  readonly transaction: T;
}

/**
 * Transaction inside the node: its fields, its hash, and the canonical bytes of both.
 *
 * The bytes are encoded once, on arrival, and reused by the mempool, pending deltas, rows and bundles. They
 * may be a view into the received data.
 */
export interface EncodedTransaction<
  T extends Transaction = Transaction,
> extends HashedTransaction<T> {
  readonly bytes: Uint8Array;
}

/** Address of the account that sends a transaction. */
export function senderAddressOf(transaction: AccountTransaction): Felt {
  if (transaction.type === "DEPLOY_ACCOUNT") return transaction.contractAddress;
  if (transaction.type === "INVOKE" && transaction.version === 0)
    return transaction.contractAddress;
  return transaction.senderAddress;
}

/** Nonce of an account transaction; 0 for version 0, which has none. */
export function nonceOf(transaction: AccountTransaction): Felt {
  return transaction.version === 0 ? 0n : transaction.nonce;
}
