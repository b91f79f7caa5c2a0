import type { Felt } from "#base/primitives/index.ts";
import type { EncodedClass } from "#protocol/chain/index.ts";
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
 * Where blocks come from: one gateway or several, of which the preferred one that works is asked. What it
 * answers is in the right form and within bounds, and not checked beyond that.
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
   * The text of get_state_update with block and signature, to be read by the verifier: UTF-8 JSON.
   * `undefined`: the gateway does not have the block.
   */
  wholeBlock(blockNumber: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The text of get_signature, for gateways that do not put it beside the block. */
  signature(blockNumber: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The text of get_class_by_hash. `undefined`: the gateway does not have the class. */
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
  contractAddresses(): Promise<GatewayContractAddresses>;
  /** The gateway that was asked last has told a wrong block: another one is to be asked first for a while. */
  distrust(): void;
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
  /** The block as a bundle without classes (`decodeBundle`); epoch 0. */
  readonly bundle: Uint8Array<ArrayBuffer>;
  /**
   * Classes that the state diff names as declared, and those that it deploys without one (first blocks
   * of the public networks declare no classes): those that are not stored yet are to be fetched.
   */
  readonly classes: readonly DeclaredClassHash[];
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
