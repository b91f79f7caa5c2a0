import type { Felt } from "#base/primitives/index.ts";
import type { EncodedClass, SealedBlock } from "#protocol/chain/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { GatewayContractAddresses, PreConfirmedAnswer } from "#io/feeder/index.ts";

/** Block number and hash. */
export interface BlockReference {
  readonly number: number;
  readonly hash: Felt;
}

/** Sync state of the pre-confirmed block, sent with each poll for more of it. */
export interface KnownPreConfirmed {
  readonly identifier: string;
  readonly transactionCount: number;
}

/**
 * Source of blocks: one or more gateways, of which the preferred working one is used, or an object store with
 * the bundles that a sequencer published. Responses are limited in size, but not otherwise checked.
 *
 * Every method throws a {@link NodeError}: NODE_STOPPED once the source's signal is aborted, NODE_BAD_ANSWER
 * for a malformed response. While no source answers, it retries without a limit.
 */
export interface BlockSource {
  /** Returns the newest accepted block; `undefined` if none yet. */
  head(): Promise<BlockReference | undefined>;
  /** Returns a block's hash; `undefined` if the gateway does not have the block. */
  reference(blockNumber: number): Promise<BlockReference | undefined>;
  /**
   * Returns a block in transport form, for the verifier: from a gateway, the UTF-8 JSON of get_state_update
   * with block and signature; from a store, the bundle. `undefined` if the source does not have the block.
   */
  wholeBlock(blockNumber: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Returns the text of get_signature, for gateways that omit the signature from the block. */
  signature(blockNumber: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Returns the text of get_class_by_hash; `undefined` if the gateway does not have the class. A store has
   * only the classes in its bundles.
   */
  contractClass(classHash: Felt): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Returns the text of get_compiled_class_by_class_hash. */
  compiledClass(classHash: Felt): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Returns a pre-confirmed block; `undefined` if there is no such block. */
  preConfirmed(
    blockNumber: number | "latest",
    known: KnownPreConfirmed | undefined,
  ): Promise<PreConfirmedAnswer | undefined>;
  /** Returns the public key of the block signer. */
  publicKey(): Promise<Felt>;
  contractAddresses(): Promise<Pick<GatewayContractAddresses, "nativeFeeToken" | "parentFeeToken">>;
  /**
   * Lowers the priority of a gateway that gave wrong data: others are tried first for a while.
   *
   * @param about - the wrong response, even if its bytes were transferred, or the error that a request ended
   * with; identifies the gateway. `undefined` for the gateway that answered last
   */
  distrust(about: unknown): void;
}

/**
 * Name of a block check, as used in logs, in `/ready` and in the metric `appchain_sync_refused`. `form` means
 * a response that cannot be read.
 */
export type SyncCheck =
  | "form"
  | "protocol_version"
  | "block_number"
  | "parent_hash"
  | "timestamp"
  | "transaction_hash"
  | "transaction_commitment"
  | "event_commitment"
  | "receipt"
  | "receipt_commitment"
  | "state_diff_length"
  | "state_diff_commitment"
  | "block_hash"
  | "signature"
  | "public_key"
  | "class_hash"
  | "compiled_class_hash"
  | "state_root"
  | "fee_token"
  | "genesis"
  | "epoch"
  | "inputs"
  | "execution";

/** Reason for refusing a block. */
export interface SyncRefusal {
  readonly check: SyncCheck;
  /** `null` if the refusal is not about a specific block. */
  readonly blockNumber: number | null;
  /** Verified hash of the block; absent if it has none, or the refusal is not about its state. */
  readonly blockHash?: Felt;
  /** Names the field, what was expected and what was found. */
  readonly message: string;
}

/** Block that has passed every check that needs no state. */
export interface CheckedBlock {
  readonly kind: "checked";
  readonly number: number;
  readonly hash: Felt;
  readonly parentHash: Felt;
  readonly timestamp: number;
  readonly protocolVersion: string;
  readonly isOnL1: boolean;
  /** Block as a bundle without classes (`decodeBundle`). */
  readonly bundle: Uint8Array<ArrayBuffer>;
  /** Epoch reported by the source; `null` if it reports none, and the block has its parent's. */
  readonly epoch: number | null;
  /**
   * Classes that the state diff declares, and classes deployed without a declaration (first blocks of the
   * public networks declare no classes). Those that are not stored yet must be fetched.
   */
  readonly classes: readonly DeclaredClassHash[];
  /**
   * Those of {@link classes} that came with the block, with verified class hashes. Their compiled code is
   * unverified data of the source.
   */
  readonly carried: readonly EncodedClass[];
}

/**
 * Class that a block declares or deploys and the node must fetch, with its compiled class hashes in the
 * block's state diff.
 */
export interface DeclaredClassHash {
  readonly classHash: Felt;
  /** Compiled class hash declared in the state diff; `null` for a Cairo 0 class. */
  readonly compiledClassHash: Felt | null;
  /** Hash to which a migration in the same block changed it; `null` if none. */
  readonly migratedHash: Felt | null;
}

/** Request to check a block. */
export interface BlockCheckRequest {
  readonly blockNumber: number;
  /** Same as {@link BlockSource.wholeBlock}. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** Same as {@link BlockSource.signature}; `undefined` in the first attempt. */
  readonly signatureText: Uint8Array<ArrayBuffer> | undefined;
  /** Public key of the block signer. */
  readonly publicKey: Felt;
}

/** Result of checking a block. */
export type BlockCheckOutcome =
  | CheckedBlock
  /** The gateway omits the signature from the block: fetch it, and check again. */
  | { readonly kind: "needsSignature" }
  | { readonly kind: "refused"; readonly refusal: SyncRefusal };

/** Request to decode and hash a class. */
export interface ClassCheckRequest {
  readonly blockNumber: number;
  readonly declared: DeclaredClassHash;
  /** Protocol version of the block, which determines the hash function of compiled classes. */
  readonly protocolVersion: string;
  /** Same as {@link BlockSource.contractClass}. */
  readonly text: Uint8Array<ArrayBuffer>;
}

/** Result of checking a class. */
export type ClassCheckOutcome =
  | { readonly kind: "checked"; readonly encoded: EncodedClass }
  | { readonly kind: "refused"; readonly refusal: SyncRefusal };

/** Performs the checks that need no state, off the thread that applies blocks; concurrent, in any order. */
export interface BlockVerifier {
  checkBlock(request: BlockCheckRequest): Promise<BlockCheckOutcome>;
}

/** Decodes and hashes a fetched class, so that it can be stored. */
export interface ClassVerifier {
  checkClass(request: ClassCheckRequest): Promise<ClassCheckOutcome>;
}

/** Compiled code of a class, or the reason why it cannot be compiled. */
export interface CompiledCode {
  readonly casmJson: string | null;
  readonly reason: string | null;
}

/** Compiles Sierra classes outside the thread that applies blocks. */
export interface CodeCompiler {
  /**
   * Compiles a class.
   *
   * @param classBytes - made by `encodeContractClass`
   * @throws {NodeError} NODE_STOPPED when the thread stops before the response arrives
   */
  compile(classHash: Felt, classBytes: Uint8Array): Promise<CompiledCode>;
}

/** Block with verified hashes and state root, before it is stored. */
export interface ExecutionRequest {
  readonly block: SealedBlock;
  /** Classes that the block declares and that are not stored yet. */
  readonly classes: readonly EncodedClass[];
  /** State before the block. */
  readonly stateBefore: StateReader;
}

/**
 * Re-executes a block before it is stored.
 *
 * @returns the first difference, with the check `execution`; `undefined` if none, or if execution is
 * trusted
 */
export type ExecutionVerifier = (request: ExecutionRequest) => Promise<SyncRefusal | undefined>;
