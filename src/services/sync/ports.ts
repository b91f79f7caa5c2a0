import type { Felt } from "#base/primitives/index.ts";
import type { EncodedClass, SealedBlock } from "#protocol/chain/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { GatewayContractAddresses, PreConfirmedAnswer } from "#io/feeder/index.ts";

/** A block by number and hash. */
export interface BlockReference {
  readonly number: number;
  readonly hash: Felt;
}

/** What is known of a block that is not accepted, when more of it is asked for. */
export interface KnownPreConfirmed {
  readonly identifier: string;
  readonly transactionCount: number;
}

/**
 * Where blocks come from: one gateway or several, of which the preferred one that works is asked; or an
 * object store with the bundles that a sequencer published. What it answers is within bounds, and not
 * checked beyond that.
 *
 * Every question throws a {@link NodeError} NODE_STOPPED once the source's signal is aborted, and
 * NODE_BAD_ANSWER for an answer in another form; where nobody answers it goes on trying.
 */
export interface BlockSource {
  /** The newest accepted block. `undefined`: there is none yet. */
  head(): Promise<BlockReference | undefined>;
  /** A block's hash. `undefined`: the gateway does not have the block. */
  reference(blockNumber: number): Promise<BlockReference | undefined>;
  /**
   * A block as it travels, to be read by the verifier: of a gateway the text of get_state_update with block
   * and signature, UTF-8 JSON; of a store its bundle. `undefined`: it does not have the block.
   */
  wholeBlock(blockNumber: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The text of get_signature, for gateways that do not put it beside the block. */
  signature(blockNumber: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * The text of get_class_by_hash. `undefined`: the gateway does not have the class; a store has none but
   * those of its bundles.
   */
  contractClass(classHash: Felt): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The text of get_compiled_class_by_class_hash. */
  compiledClass(classHash: Felt): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** `undefined`: there is no such block that is not accepted. */
  preConfirmed(
    blockNumber: number | "latest",
    known: KnownPreConfirmed | undefined,
  ): Promise<PreConfirmedAnswer | undefined>;
  /** Of the key that signs blocks. */
  publicKey(): Promise<Felt>;
  contractAddresses(): Promise<Pick<GatewayContractAddresses, "nativeFeeToken" | "parentFeeToken">>;
  /**
   * Something wrong was told: another one is to be asked first for a while.
   *
   * @param about - the answer, also when its bytes were handed on, or the error that a question ended with:
   *   it is the gateway that gave it; `undefined`: the one that has answered last
   */
  distrust(about: unknown): void;
}

/**
 * What a check of a block is called, in logs, in `/ready` and in the metric `appchain_sync_refused`:
 * `form` is an answer that cannot be read.
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

/** Why a block is not taken: what was expected and what came, in words. */
export interface SyncRefusal {
  readonly check: SyncCheck;
  /** `null`: it is about no block. */
  readonly blockNumber: number | null;
  /** Names the field, what was expected and what was found. */
  readonly message: string;
}

/** A block that has passed every check that needs no state. */
export interface CheckedBlock {
  readonly kind: "checked";
  readonly number: number;
  readonly hash: Felt;
  readonly parentHash: Felt;
  readonly timestamp: number;
  readonly protocolVersion: string;
  readonly isOnL1: boolean;
  /** The block as a bundle without classes (`decodeBundle`). */
  readonly bundle: Uint8Array<ArrayBuffer>;
  /** As the source tells it; `null`: it tells none, and the block has its parent's. */
  readonly epoch: number | null;
  /**
   * Classes that the state diff names as declared, and those that it deploys without one (first blocks
   * of the public networks declare no classes): those that are not stored yet are to be fetched.
   */
  readonly classes: readonly DeclaredClassHash[];
  /**
   * Those of {@link classes} that came with the block: each has its hash. Their compiled code is what the
   * source says, and nobody has checked it.
   */
  readonly carried: readonly EncodedClass[];
}

/** A class that a block needs. */
export interface DeclaredClassHash {
  readonly classHash: Felt;
  /** As the state diff declares it; `null` for a Cairo 0 class. */
  readonly compiledClassHash: Felt | null;
  /** The hash that a later block of the protocol migrated it to; `null`: none. */
  readonly migratedHash: Felt | null;
}

/** What a block is checked with. */
export interface BlockCheckRequest {
  readonly blockNumber: number;
  /** As {@link BlockSource.wholeBlock}. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** As {@link BlockSource.signature}; `undefined` at first. */
  readonly signatureText: Uint8Array<ArrayBuffer> | undefined;
  /** Of the key that signs blocks. */
  readonly publicKey: Felt;
}

/** What came of checking a block. */
export type BlockCheckOutcome =
  | CheckedBlock
  /** The gateway does not put the signature beside the block: ask for it, and again. */
  | { readonly kind: "needsSignature" }
  | { readonly kind: "refused"; readonly refusal: SyncRefusal };

/** A class to be read and hashed. */
export interface ClassCheckRequest {
  readonly blockNumber: number;
  readonly declared: DeclaredClassHash;
  /** Protocol version of the block: it says by which function compiled classes are hashed. */
  readonly protocolVersion: string;
  /** As {@link BlockSource.contractClass}. */
  readonly text: Uint8Array<ArrayBuffer>;
}

/** What came of checking a class. */
export type ClassCheckOutcome =
  | { readonly kind: "checked"; readonly encoded: EncodedClass }
  | { readonly kind: "refused"; readonly refusal: SyncRefusal };

/** Does the checks that need no state, beside whoever applies blocks; several at a time, in any order. */
export interface BlockVerifier {
  checkBlock(request: BlockCheckRequest): Promise<BlockCheckOutcome>;
}

/** Makes a fetched class into one that can be stored: reads, hashes and compiles it. */
export interface ClassVerifier {
  checkClass(request: ClassCheckRequest): Promise<ClassCheckOutcome>;
}

/** A class's compiled code, or why there is none. */
export interface CompiledCode {
  readonly casmJson: string | null;
  readonly reason: string | null;
}

/** Compiles Sierra classes, away from the thread that applies blocks. */
export interface CodeCompiler {
  /**
   * @param classBytes - made by `encodeContractClass`
   * @throws {NodeError} NODE_STOPPED when the thread stops before there is an answer
   */
  compile(classHash: Felt, classBytes: Uint8Array): Promise<CompiledCode>;
}

/** A block whose hashes and state root are right, before it is stored. */
export interface ExecutionRequest {
  readonly block: SealedBlock;
  /** Those that the block declares and that are not stored yet. */
  readonly classes: readonly EncodedClass[];
  /** State before the block. */
  readonly stateBefore: StateReader;
}

/**
 * Executes a block again before it is stored.
 *
 * @returns the first difference, by the check `execution`; `undefined`: there is none, or blocks are
 *   believed to be executed right
 */
export type ExecutionVerifier = (request: ExecutionRequest) => Promise<SyncRefusal | undefined>;
